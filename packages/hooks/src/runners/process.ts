// Starts a process group, owns its deadline and sees it gone. No ChildProcess leaves this file.
import type { RunEnd } from './runner.ts';

export interface ProcessRequest {
  /** Program and arguments; no shell is added. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Written to stdin, then closed; a process that does not read it has not failed. */
  readonly input: string;
  /** Finite; counted from when the process leaves the queue. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  /** An environment entry that only this run's processes carry, so that strays can be found on Linux. */
  readonly marker: { readonly name: string; readonly value: string };
  /** Bytes kept of each stream; the rest is read and dropped. */
  readonly outputCap: number;
  readonly onStart?: (pid: number) => void;
  /** Sees each piece as it arrives, kept or not. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
}

export interface ProcessResult {
  readonly end: RunEnd;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  readonly durationMs: number;
}

/** Every process of one session goes through one host. */
export interface ProcessHost {
  /** Never rejects; returns at the deadline whatever the process does, and ends its group behind it. */
  run(request: ProcessRequest): Promise<ProcessResult>;
  /** Resolves when every group that was told to end is gone, or after `withinMs`; true when all are gone. */
  settle(withinMs: number): Promise<boolean>;
}
