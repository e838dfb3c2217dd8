// Starts one program as leader of its own session: no terminal, a group of its own, pipes for what it prints.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { OutputStream } from './output.ts';
import { discardPipes, handOver, openToWrite, type OutputPipes } from './output-pipes.ts';
import type { PipeReader } from './pipe-reader.ts';
import type { RunEnd } from './runner.ts';
import { type Attempt, explainSpawnFailure, type FailedEnd } from './spawn-failure.ts';

export interface StartRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdin: 'ignore' | 'pipe' | number;
  /** Where it prints; without them Node's own pipes are used. Taken over, also by a start that fails. */
  readonly outputs?: OutputPipes;
  /** Asks the system for the process; Node's own if not given. */
  readonly spawn?: Spawn;
}

export type Spawn = typeof spawn;

export interface StartedProcess {
  readonly kind: 'started';
  readonly pid: number;
  /** Clock ticks since boot, where the start told them. */
  readonly startTime?: number | null;
  readonly stdin: Writable | null;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly ended: Promise<RunEnd>;
  /** Ended, and nobody holds its output open any more. */
  readonly closed: Promise<void>;
  /** Hands over at once what it had printed when it ended. */
  catchUp(): void;
  /** Lets the program end while it still runs. */
  release(): void;
  /** The same, and hears no more of it. */
  abandon(): void;
}

export interface NotStarted {
  readonly kind: 'not-started';
  /** Nobody knows: it may run, and then it must be ended. */
  readonly perhaps?: true;
  /** Takes a moment to be told. */
  readonly why: Promise<FailedEnd>;
}

/** A start that worked is known at once. Never throws. */
export function startProcess(request: StartRequest): StartedProcess | NotStarted {
  const [program, ...args] = request.argv;
  const { outputs } = request;
  const attempt: Attempt = { program, cwd: request.cwd, environment: request.environment };
  const ends: number[] = [];
  try {
    for (const pipe of outputs ?? []) ends.push(openToWrite(pipe));
    const child = (request.spawn ?? spawn)(program, args, {
      cwd: request.cwd,
      env: request.environment,
      stdio: [request.stdin, ends[0] ?? 'pipe', ends[1] ?? 'pipe'],
      detached: true,
      windowsHide: true,
    });
    if (child.pid === undefined) {
      discardPipes(outputs);
      return { kind: 'not-started', why: whyFailed(child, attempt) };
    }
    if (outputs !== undefined) handOver(outputs);
    return started(child, child.pid, outputs);
  } catch (error) {
    discardPipes(outputs);
    const why = explainSpawnFailure(error as NodeJS.ErrnoException, attempt);
    return { kind: 'not-started', why: Promise.resolve(why) };
  } finally {
    // The process has its own; with ours open its end would never be seen.
    for (const end of ends) closeSync(end);
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

function started(child: ChildProcess, pid: number, outputs: OutputPipes | undefined): StartedProcess {
  const { stdin } = child;
  const stdout = outputs?.[0].reader ?? child.stdout;
  const stderr = outputs?.[1].reader ?? child.stderr;
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
    closed: Promise.all([emitted(child, 'close'), emitted(stdout, 'close'), emitted(stderr, 'close')]).then(
      () => {},
    ),
    catchUp() {
      for (const pipe of outputs ?? []) pipe.reader.catchUp();
    },
    release() {
      child.unref();
      for (const stream of [stdin, stdout, stderr]) (stream as Socket | PipeReader | null)?.unref();
    },
    abandon() {
      child.unref();
      for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    },
  };
}

function emitted(emitter: ChildProcess | OutputStream, event: 'close'): Promise<void> {
  return new Promise((resolve) => {
    emitter.once(event, () => resolve());
  });
}
