// The task list of a team on disk: every change is judged and written under the team's lock, whoever makes it.
import { decideTask, type TaskChange } from './decide-task.ts';
import { appendLine, appendLines, readValues } from './lines.ts';
import { addEvent, foldTasks, type Task, type TaskEvent, type Tasks } from './task.ts';
import type { TeamLock } from './team-lock.ts';

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
  /** Frees the tasks in progress that `lost` says yes to, while nobody comes or changes any; returns their ids. */
  release(lost: (task: Task & { readonly owner: string }) => Promise<boolean>): Promise<readonly string[]>;
}

export function openTaskList(path: string, underLock: TeamLock): TaskList {
  const read = async (): Promise<Tasks> => foldTasks((await readValues(path)).values);

  return {
    read,
    reserve: () =>
      underLock(async () => {
        const { lastId } = await read();
        const event: TaskEvent = { kind: 'reserved', id: String(lastId + 1) };
        await appendLine(path, event);
        return event.id;
      }),
    change: (change) =>
      underLock(async () => {
        const { changed, event } = judge(await read(), change);
        if (event !== undefined) await appendLine(path, event);
        return changed;
      }),
    foresee: async (change) => judge(await read(), change).changed,
    async release(lost) {
      // Mostly there are none, and nobody has to wait for that.
      if ((await findLost(await read(), lost)).length === 0) return [];
      return underLock(async () => {
        const ids = await findLost(await read(), lost);
        await appendLines(
          path,
          ids.map((id): TaskEvent => ({ kind: 'released', id })),
        );
        return ids;
      });
    },
  };
}

async function findLost(
  { list }: Tasks,
  lost: Parameters<TaskList['release']>[0],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const task of list.values()) {
    const { id, owner, status } = task;
    if (status === 'in_progress' && owner !== null && (await lost({ ...task, owner }))) ids.push(id);
  }
  return ids;
}

function judge(tasks: Tasks, change: TaskChange): { readonly changed: Changed; readonly event?: TaskEvent } {
  const decided = decideTask(tasks, change);
  if (decided.kind === 'refused') return { changed: decided };
  const task = addEvent(tasks, decided.event).list.get(decided.event.id);
  if (task === undefined) throw new Error(`a ${decided.event.kind} task is not in its list`);
  return { changed: { kind: 'changed', task }, event: decided.event };
}
