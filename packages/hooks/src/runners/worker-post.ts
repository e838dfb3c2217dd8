// Keeps one worker at its post: starts it when it is needed, not in a rush after crashes, and closes it when idle.
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../monotonic.ts';
import { commandArgv } from './command.ts';
import type { ProcessHost } from './process.ts';
import type { RunRequest } from './runner.ts';
import type { FailedEnd } from './spawn-failure.ts';
import { type Asked, startWorker, type WorkerListener, type WorkerProcess } from './worker-process.ts';

export interface WorkerPostOptions {
  readonly processes: ProcessHost;
  /** A sentence about a worker that misbehaves in a way that decides nothing. */
  readonly onNotice: (sentence: string) => void;
  /** A worker that was asked nothing for this long is closed; the next event starts it again. Ten minutes. */
  readonly idleMs?: number;
  /** How long after its last crash a worker is started again, by the number of crashes in a row without an answer. */
  readonly backOffMs?: (crashes: number) => number;
}

export interface WorkerPost {
  /** Never rejects. Nobody hears what it gives after `stop` fired. */
  ask(request: RunRequest, stop: AbortSignal): Promise<Asked | FailedEnd>;
  close(): Promise<void>;
}

type Start = Promise<WorkerProcess | FailedEnd>;

/**
 * All requests of a post are about the same hook and workspace. A worker that let a deadline pass is not asked again:
 * the next request gets a new one, and the old one is closed when its last request is over.
 */
export function createWorkerPost(options: WorkerPostOptions): WorkerPost {
  const { processes, onNotice, idleMs = 600_000, backOffMs = standardBackOffMs } = options;
  const running = new Set<WorkerProcess>();
  let current: Start | undefined;
  let idle: NodeJS.Timeout | undefined;
  let crashes = 0;
  let notBefore = 0;
  let closed = false;

  return {
    async ask(request, stop) {
      clearTimeout(idle);
      current ??= engage(request);
      const worker = await current;
      if (worker.kind === 'failed') return worker;
      if (stop.aborted) return unheard;
      request.onStart?.();
      return worker.ask(request.hook.event, request.input, stop);
    },
    async close() {
      closed = true;
      current = undefined;
      clearTimeout(idle);
      await Promise.all([...running].map((worker) => worker.close()));
    },
  };

  function engage(request: RunRequest): Start {
    const mine: Start = start(request, {
      onOddity: (what) => onNotice(`the worker of hook ${request.hook.id} ${what}; that is ignored`),
      onOverdue: () => dismiss(mine),
      onIdle: () => rest(mine),
    });
    void mine.then((worker) => {
      if (worker.kind === 'failed') dismiss(mine);
      else watch(worker, mine);
    });
    return mine;
  }

  async function start(request: RunRequest, listener: WorkerListener): Start {
    await sleep(Math.max(0, notBefore - monotonicMs()), undefined, { ref: false });
    if (closed) return { kind: 'failed', cause: 'worker', message: 'its session is closing' };
    const { handler } = request.hook;
    if (handler.type !== 'worker') throw new TypeError(`a worker runner was given a ${handler.type} hook`);
    return startWorker(request, commandArgv(handler), processes, listener);
  }

  function watch(worker: WorkerProcess, mine: Start): void {
    running.add(worker);
    void worker.ended.then((end) => {
      running.delete(worker);
      if (current !== mine) return;
      dismiss(mine);
      const orderly = worker.proven() && end.kind === 'exited' && end.code === 0;
      crashes = orderly ? 0 : worker.proven() ? 1 : crashes + 1;
      notBefore = orderly ? 0 : monotonicMs() + backOffMs(crashes);
    });
  }

  function rest(mine: Start): void {
    if (current !== mine) return void closeStarted(mine);
    clearTimeout(idle);
    idle = setTimeout(() => {
      dismiss(mine);
      void closeStarted(mine);
    }, idleMs).unref();
  }

  function dismiss(mine: Start): void {
    if (current === mine) current = undefined;
  }
}

const unheard: FailedEnd = {
  kind: 'failed',
  cause: 'worker',
  message: 'it was given up before it was asked',
};

async function closeStarted(start: Start): Promise<void> {
  const worker = await start;
  if (worker.kind === 'worker') await worker.close();
}

/** The first crash may be an accident; after that at most five seconds between two starts. */
function standardBackOffMs(crashes: number): number {
  return crashes < 2 ? 0 : Math.min(250 * 2 ** (crashes - 2), 5_000);
}
