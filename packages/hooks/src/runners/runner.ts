// What every kind of handler is asked to do and what it gives back: plain data in, plain data out.
import type { HookDefinition } from '../config/hook.ts';
import type { FailureCause } from '../policy/outcome.ts';

/** One hook to run for one payload. */
export interface RunRequest {
  readonly hook: HookDefinition;
  /** Unique for this start; processes carry it in their environment so that strays can be found. */
  readonly runId: string;
  /** The event as one JSON line with its newline: the same bytes for every hook of a dispatch. */
  readonly input: string;
  /** Directory the hook runs in. */
  readonly workspace: string;
  /** The complete environment of a process hook. */
  readonly environment: Readonly<Record<string, string>>;
  /** Always finite; counted from when the hook leaves the queue. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  /** Called once, when the hook really started: what spends `once`. */
  readonly onStart?: () => void;
}

/** How a run ended. */
export type RunEnd =
  | { readonly kind: 'exited'; readonly code: number }
  /** An in-process function's return value, or a structured answer that needs no text. */
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly cause: FailureCause; readonly message: string };

/** How the run ended and what the hook said; times in milliseconds. */
export interface RunResult {
  readonly end: RunEnd;
  /** At most the parse cap (1 MiB); what came later was read and thrown away. */
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutTruncated: boolean;
  /** Processes it left behind when it ended by itself, where it is one that can. They are left alone. */
  readonly leftRunning?: number;
  readonly durationMs: number;
}

/** Runs one kind of handler. Never rejects and never outlives its deadline: every failure is a value. */
export interface Runner {
  run(request: RunRequest): Promise<RunResult>;
  /** Ends what the runner keeps alive between runs. */
  close?(): Promise<void>;
}
