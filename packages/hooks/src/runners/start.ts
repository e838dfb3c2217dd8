// Starts one program as leader of its own session: no terminal, a group of its own, pipes for what it prints.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { RunEnd } from './runner.ts';
import { type Attempt, explainSpawnFailure, type FailedEnd } from './spawn-failure.ts';

export interface StartRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: 'ignore' | 'pipe' | number;
}

export interface StartedProcess {
  readonly kind: 'started';
  readonly pid: number;
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<RunEnd>;
  /** Ended, and nobody holds its output open any more. */
  readonly closed: Promise<void>;
  /** Lets the program end while it still runs. */
  release(): void;
  /** The same, and hears no more of it. */
  abandon(): void;
}

/** A start that worked is known at once; why one failed takes a moment to be told. Never throws. */
export function startProcess(
  request: StartRequest,
): StartedProcess | { readonly kind: 'not-started'; readonly why: Promise<FailedEnd> } {
  const [program, ...args] = request.argv;
  const attempt: Attempt = { program, cwd: request.cwd, environment: request.environment };
  try {
    const child = spawn(program, args, {
      cwd: request.cwd,
      env: request.environment,
      stdio: [request.stdin, 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
    if (child.pid === undefined) return { kind: 'not-started', why: whyFailed(child, attempt) };
    return started(child, child.pid);
  } catch (error) {
    const why = explainSpawnFailure(error as NodeJS.ErrnoException, attempt);
    return { kind: 'not-started', why: Promise.resolve(why) };
  }
}

function whyFailed(child: ChildProcess, attempt: Attempt): Promise<FailedEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      for (const stream of child.stdio ?? []) stream?.destroy();
      resolve(explainSpawnFailure(error, attempt));
    });
  });
}

function started(child: ChildProcess, pid: number): StartedProcess {
  const { stdin, stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new TypeError('a process was started without pipes');
  // Later errors are about signals, which are sent elsewhere.
  child.on('error', () => {});
  return {
    kind: 'started',
    pid,
    stdin,
    stdout,
    stderr,
    ended: new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal });
      });
    }),
    closed: new Promise((resolve) => {
      child.once('close', () => resolve());
    }),
    release() {
      child.unref();
      for (const stream of [stdin, stdout, stderr]) (stream as Socket | null)?.unref();
    },
    abandon() {
      child.unref();
      for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    },
  };
}
