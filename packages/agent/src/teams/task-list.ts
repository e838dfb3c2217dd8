// The task list of a team on disk: every change is judged and written under one lock, whichever process makes it.
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock, describeProcess } from '@codey/hooks';
import { decideTask, type TaskChange } from './decide-task.ts';
import { appendLine, readValues } from './lines.ts';
import { addEvent, foldTasks, type Task, type TaskEvent, type Tasks } from './task.ts';

export type Changed =
  | { readonly kind: 'changed'; readonly task: Task }
  /** A sentence for whoever wanted it. */
  | { readonly kind: 'refused'; readonly reason: string };

/** All of it throws what the file system throws. */
export interface TaskList {
  /** By id, in the order they were created. */
  read(): Promise<Tasks>;
  /** An id nobody else gets. */
  reserve(): Promise<string>;
  /** Of two claims or completions of one task only one succeeds, also from two processes. */
  change(change: TaskChange): Promise<Changed>;
  /** What `change` would come to now; nothing is written. */
  foresee(change: TaskChange): Promise<Changed>;
}

export interface TaskListOptions {
  readonly path: string;
  readonly lock: string;
  readonly pid: number;
}

export function openTaskList({ path, lock, pid }: TaskListOptions): TaskList {
  // Within a process in turn: only other processes are waited for by looking again.
  let last: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<Tasks> => foldTasks((await readValues(path)).values);

  /** `decide` sees the list as it is until its event is written. */
  function underLock<T extends { readonly event?: TaskEvent }>(decide: (tasks: Tasks) => T): Promise<T> {
    const done = last.then(async () => {
      const release = await takeLock(lock, pid);
      try {
        const decided = decide(await read());
        if (decided.event !== undefined) await appendLine(path, decided.event);
        return decided;
      } finally {
        await release();
      }
    });
    last = done.catch(() => {});
    return done;
  }

  return {
    read,
    async reserve() {
      const { event } = await underLock(({ lastId }) => ({
        event: { kind: 'reserved', id: String(lastId + 1) } as const,
      }));
      return event.id;
    },
    async change(change) {
      const { changed } = await underLock((tasks) => judge(tasks, change));
      return changed;
    },
    foresee: async (change) => judge(await read(), change).changed,
  };
}

function judge(tasks: Tasks, change: TaskChange): { readonly changed: Changed; readonly event?: TaskEvent } {
  const decided = decideTask(tasks, change);
  if (decided.kind === 'refused') return { changed: decided };
  const task = addEvent(tasks, decided.event).list.get(decided.event.id);
  if (task === undefined) throw new Error(`a ${decided.event.kind} task is not in its list`);
  return { changed: { kind: 'changed', task }, event: decided.event };
}

/** As long as any sound writer could need; one that holds it longer is stuck, and the lock is taken from it. */
const stuckAfterMs = 30_000;

/** Resolves with the way to give it back. Throws when the lock cannot be had at all. */
async function takeLock(path: string, pid: number): Promise<() => Promise<void>> {
  const owner = describeProcess(pid);
  const until = Date.now() + 2 * stuckAfterMs;
  for (;;) {
    const lock = await acquireLock(path, owner, { staleAfterMs: stuckAfterMs });
    if (lock.held) return lock.release;
    if (Date.now() > until) throw new Error(`${path} is held by another process and is not given back`);
    // Not the same pause for all who wait.
    await sleep(2 + Math.random() * 8);
  }
}
