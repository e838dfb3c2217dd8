// One running worker: the requests that are open in it and what becomes of them.
import type { Interruption } from './bounded.ts';
import { runMarkerName } from './environment.ts';
import type { KeptProcess } from './keep.ts';
import { outputCap } from './output-cap.ts';
import { stayAwake } from './stay-awake.ts';
import type { ProcessHost } from './process.ts';
import type { RunEnd, RunRequest } from './runner.ts';
import type { FailedEnd } from './spawn-failure.ts';
import { encodeRequest, parseReply, type WorkerReply } from './worker-protocol.ts';

/** What became of one request. */
export type Asked =
  | Exclude<WorkerReply, { kind: 'noise' }>
  /** The process ended first. */
  | { readonly kind: 'ended'; readonly end: RunEnd; readonly stderr: string };

export interface WorkerProcess {
  readonly kind: 'worker';
  /** Never rejects. When `stop` fires first the answer is nobody's any more and the promise stays open for ever. */
  ask(event: string, input: string, stop: AbortSignal): Promise<Asked>;
  /** It has answered at least once. */
  proven(): boolean;
  readonly ended: Promise<RunEnd>;
  close(): Promise<void>;
}

export interface WorkerListener {
  /** It did something that is ignored; a phrase without content, each told once a process. */
  readonly onOddity: (what: string) => void;
  /** It let a deadline pass. */
  readonly onOverdue: () => void;
  /** No request is open any more. */
  readonly onIdle: () => void;
}

/** Starts a worker with the environment of the request that needs it first. */
export async function startWorker(
  request: Pick<RunRequest, 'workspace' | 'environment' | 'runId' | 'hook'>,
  argv: readonly [string, ...string[]],
  processes: ProcessHost,
  listener: WorkerListener,
): Promise<WorkerProcess | FailedEnd> {
  const open = new Map<number, (asked: Asked) => void>();
  /** Nobody waits for their answers any more, so those are dropped without a word. */
  const forgotten = new Set<number>();
  const oddities = new Set<string>();
  let lastId = 0;
  let proven = false;
  let over: Asked | undefined;

  const kept = await processes.keep({
    argv,
    cwd: request.workspace,
    environment: withoutEnvFile(request.environment),
    marker: { name: runMarkerName, value: request.runId },
    what: request.hook.id,
    lineCap: outputCap,
    onLine: hear,
  });
  if (kept.kind === 'failed') return kept;
  void kept.ended.then((end) => {
    over = { kind: 'ended', end, stderr: kept.stderr() };
    for (const id of open.keys()) settle(id, over);
  });
  return {
    kind: 'worker',
    ask: (event, input, stop) => ask(kept, event, input, stop),
    proven: () => proven,
    ended: kept.ended,
    close: kept.close,
  };

  function ask(process: KeptProcess, event: string, input: string, stop: AbortSignal): Promise<Asked> {
    return new Promise((resolve) => {
      if (over !== undefined) {
        resolve(over);
        return;
      }
      lastId += 1;
      const id = lastId;
      open.set(id, resolve);
      stop.addEventListener('abort', () => forget(id, stop.reason as Interruption), { once: true });
      process.write(encodeRequest(id, event, input));
      stayAwake(() => !open.has(id));
    });
  }

  function hear(line: string): void {
    if (line.trim() === '') return;
    const reply = parseReply(line);
    if (reply.kind === 'noise') oddity('printed a line that is no answer');
    else if (open.has(reply.id)) {
      proven = true;
      settle(reply.id, reply);
    } else if (!forgotten.delete(reply.id)) oddity('answered a request that is not open');
  }

  function settle(id: number, asked: Asked): void {
    open.get(id)?.(asked);
    open.delete(id);
    if (open.size === 0) listener.onIdle();
  }

  function forget(id: number, why: Interruption): void {
    if (!open.delete(id)) return;
    forgotten.add(id);
    if (why.kind === 'timed-out') listener.onOverdue();
    if (open.size === 0) listener.onIdle();
  }

  function oddity(what: string): void {
    if (oddities.has(what)) return;
    oddities.add(what);
    listener.onOddity(what);
  }
}

/** An env file belongs to one hook of one event; a process that stays has none. */
function withoutEnvFile(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { CODEY_ENV_FILE: _codey, KODER_ENV_FILE: _koder, ...rest } = environment;
  return rest;
}
