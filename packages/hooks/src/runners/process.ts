// Starts process groups, owns their deadlines and sees them gone. No ChildProcess leaves this folder.
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { checkDeadline } from './bounded.ts';
import { endFamily, type Family } from './ending.ts';
import type { ForkServer } from './fork-server.ts';
import { type Group, groupRuns, type Kill } from './group.ts';
import { type KeepRequest, type KeptProcess, keepProcess } from './keep.ts';
import type { LaunchRequest } from './launch.ts';
import type { Ledger } from './ledger.ts';
import { memoryDirectory } from './memory-directory.ts';
import { createPipeSupply, type OutputPipes, type PipeSupply } from './output-pipes.ts';
import { createProc, type Proc } from './proc.ts';
import { createQueue } from './queue.ts';
import type { RunEnd } from './runner.ts';
import type { FailedEnd } from './spawn-failure.ts';
import type { Spawn } from './start.ts';
import { supervise, withoutProcess } from './supervise.ts';

/** One process to run to its end. Times are in milliseconds, sizes in bytes. */
export interface ProcessRequest extends LaunchRequest {
  /** What stdin holds before its end; a process that does not read it has not failed. */
  readonly input: string;
  /** Finite; counted from when the process leaves the queue. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  /** Bytes kept of each stream; the rest is read and dropped. */
  readonly outputCap: number;
  readonly onStart?: (pid: number) => void;
  /** Sees each piece as it arrives, kept or not. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** How a process ended and what it printed. */
export interface ProcessResult {
  readonly end: RunEnd;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  /** Processes of its group that still ran when it ended by itself; they are left alone. 1 where they cannot be counted. */
  readonly leftRunning: number;
  readonly durationMs: number;
}

/** Every process of one session goes through one host. */
export interface ProcessHost {
  /**
   * Returns at the deadline whatever the process does, and ends its group behind it. Rejects only for a caller's
   * mistake: a deadline that is not a finite number above 0.
   */
  run(request: ProcessRequest): Promise<ProcessResult>;
  /** Starts a process that stays and is talked to. It takes no place in the queue, where it would never give it back. */
  keep(request: KeepRequest): Promise<KeptProcess | FailedEnd>;
  /**
   * Resolves when every group that was told to end is gone, or after `withinMs`; true when all are gone. Shortly before
   * the time is up the grace of those that are left is over and they are killed.
   */
  settle(withinMs: number): Promise<boolean>;
}

export interface ProcessHostOptions {
  /** How many processes run at once; the others wait their turn. 16 if not given. */
  readonly limit?: number;
  readonly ledger?: Ledger;
  readonly proc?: Proc;
  readonly kill?: Kill;
  /** Asks the system for a process; Node's own if not given. */
  readonly spawn?: Spawn;
  /**
   * A start of Node's own stops the event loop, the longer the more memory there is to share with it. With `true` there is
   * one start in each turn of the loop, so that a screen keeps moving; without, all that wait start at once, which is over
   * sooner.
   */
  readonly oneStartEachTurn?: boolean;
  /** Where nameless files for stdin are made; in memory if not given, or beside other temporary files. */
  readonly temporaryDirectory?: string;
  /** Pipes for what processes print; hosts of one session may share them. */
  readonly pipes?: PipeSupply;
  /** Starts what `run` is asked for, where it can; Node starts the rest. Its owner closes it. */
  readonly forks?: ForkServer | undefined;
}

/** What runs need of the host they run on. */
export interface ProcessWorld {
  readonly proc: Proc;
  readonly spawn: Spawn;
  readonly forks?: ForkServer;
  readonly ledger: Ledger;
  /** For nameless files, the first one in which there is room. */
  readonly inputDirectories: readonly string[];
  /**
   * Ends what is left of a run behind its caller's back, `after` something if that is given; resolves when it is gone, or
   * with false when it cannot be ended.
   */
  readonly end: (family: Family, after?: Promise<unknown>) => Promise<boolean>;
  /** `settle` waits for it, as for an ending. */
  readonly owe: (ending: Promise<boolean>) => void;
  /** How many processes of a group run; 1 where there are some that cannot be counted. */
  readonly countRunning: (group: Group) => number;
}

/** Starts and ends the processes of one session, sixteen at a time if not told otherwise. */
export function createProcessHost(options: ProcessHostOptions = {}): ProcessHost {
  const queue = createQueue(options.limit ?? 16);
  const proc = options.proc ?? createProc();
  const kill = options.kill ?? process.kill.bind(process);
  const ledger = options.ledger ?? { started: () => {}, ended: () => {} };
  const { forks, temporaryDirectory } = options;
  const inputDirectories =
    temporaryDirectory === undefined ? [memoryDirectory, tmpdir()] : [temporaryDirectory];
  const pipes = options.pipes ?? createPipeSupply();
  const endings = new Set<Promise<boolean>>();
  let hurry = new AbortController();
  let lastStart: Promise<void> = Promise.resolve();

  const oneEachTurn = (): boolean => options.oneStartEachTurn === true && forks?.available() !== true;
  const turnToStart = (): Promise<void> => {
    lastStart = lastStart.then(() => new Promise((resolve) => setImmediate(resolve)));
    return lastStart;
  };

  const inTurn = async (outputs: OutputPipes | Promise<OutputPipes | undefined>) => {
    const ready = await outputs;
    if (oneEachTurn()) await turnToStart();
    return ready;
  };

  const owe = (ending: Promise<boolean>): void => {
    endings.add(ending);
    void ending.finally(() => endings.delete(ending));
  };

  const world: ProcessWorld = {
    proc,
    spawn: options.spawn ?? spawn,
    ...(forks !== undefined && { forks }),
    ledger,
    inputDirectories,
    async end(family, after) {
      const start = () => endFamily(family, { kill, proc }, hurry.signal);
      const ending = after === undefined ? start() : after.then(start);
      owe(ending);
      const gone = await ending;
      if (gone && family.group !== null) ledger.ended(family.group.pid);
      return gone;
    },
    owe,
    countRunning: (group) => (groupRuns(group, kill, proc) ? (proc.members(group.pid)?.length ?? 1) : 0),
  };

  return {
    async run(request) {
      checkDeadline(request.deadlineMs);
      // Nothing is awaited that need not be: the first of ten hooks is being started while the others get ready.
      const leave = queue.enterNow() ?? (await queue.enter(request.signal));
      if (leave === null) return withoutProcess({ kind: 'cancelled' }, 0);
      const outputs = pipes.takeNow();
      const isReady = outputs !== undefined && !oneEachTurn();
      return supervise(request, world, isReady ? outputs : inTurn(outputs ?? pipes.take()), leave);
    },
    keep: (request) => keepProcess(request, world),
    async settle(withinMs) {
      const all = Promise.all([Promise.all(endings), pipes.idle()]).then(([gone]) => gone.every(Boolean));
      const lastMs = Math.min(withinMs / 2, 1_000);
      const inTime = await within(withinMs - lastMs, all);
      if (inTime !== undefined) return inTime;
      hurry.abort();
      hurry = new AbortController();
      return (await within(lastMs, all)) ?? false;
    },
  };
}

/** Undefined when the time is up first. Keeps the program alive meanwhile. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, timeUp]).finally(() => clearTimeout(timer));
}
