// Whether a change of a task may happen, and as which event. Pure.
import type { Task, TaskEvent, Tasks } from './task.ts';

/** What somebody wants to happen. */
export type TaskChange =
  | {
      readonly kind: 'create';
      readonly id: string;
      readonly subject: string;
      readonly description: string;
      readonly after: readonly string[];
    }
  | { readonly kind: 'order'; readonly id: string; readonly after: readonly string[] }
  /** Without an id: the first that is ready. */
  | { readonly kind: 'claim'; readonly id?: string; readonly by: string; readonly session: string }
  | { readonly kind: 'release'; readonly id: string; readonly by: string }
  | { readonly kind: 'complete'; readonly id: string; readonly by: string };

export type TaskDecision =
  | { readonly kind: 'happens'; readonly event: TaskEvent }
  /** A sentence for whoever wanted it. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Judged under the list's lock, so that what is true here still is when the event is written. */
export function decideTask({ list }: Tasks, change: TaskChange): TaskDecision {
  switch (change.kind) {
    case 'create': {
      const { id, subject, description, after } = change;
      const problem = orderProblem(id, after, list);
      if (problem !== undefined) return refused(problem);
      return happens({ kind: 'created', id, subject, description, after });
    }
    case 'order': {
      if (!list.has(change.id)) return refused(unknown(change.id, list));
      const problem = orderProblem(change.id, change.after, list);
      if (problem !== undefined) return refused(problem);
      return happens({ kind: 'ordered', id: change.id, after: change.after });
    }
    case 'claim':
      return decideClaim(list, change);
    case 'release':
    case 'complete': {
      const task = list.get(change.id);
      if (task === undefined) return refused(unknown(change.id, list));
      if (task.status === 'completed') return refused(`task ${task.id} is completed already`);
      if (task.owner !== change.by) return refused(`task ${task.id} ${sayOwner(task)}; claim it first`);
      return happens({ kind: change.kind === 'release' ? 'released' : 'completed', id: task.id });
    }
  }
}

function decideClaim(
  list: Tasks['list'],
  { id, by, session }: Extract<TaskChange, { readonly kind: 'claim' }>,
): TaskDecision {
  if (id === undefined) {
    const ready = [...list.values()].find(
      (task) => task.status === 'pending' && openBefore(task, list).length === 0,
    );
    return ready === undefined
      ? refused('no task is ready: all are taken, done or wait for others')
      : happens({ kind: 'claimed', id: ready.id, owner: by, session });
  }
  const task = list.get(id);
  if (task === undefined) return refused(unknown(id, list));
  if (task.status !== 'pending')
    return refused(`task ${id} ${task.status === 'completed' ? 'is completed' : sayOwner(task)}`);
  const before = openBefore(task, list);
  if (before.length > 0) return refused(`task ${id} waits for ${before.join(', ')}`);
  return happens({ kind: 'claimed', id, owner: by, session });
}

/** The tasks it still waits for. */
function openBefore(task: Task, list: Tasks['list']): readonly string[] {
  return task.after.filter((id) => list.get(id)?.status !== 'completed');
}

/** Undefined where `id` may come after all of `after`. */
function orderProblem(id: string, after: readonly string[], list: Tasks['list']): string | undefined {
  const missing = after.find((each) => !list.has(each) && each !== id);
  if (missing !== undefined) return unknown(missing, list);
  const circle = findCircle(id, after, list);
  return circle === undefined ? undefined : `that would be a circle: ${circle.join(' after ')}`;
}

/** The way from `id` back to itself. */
function findCircle(
  id: string,
  after: readonly string[],
  list: Tasks['list'],
): readonly string[] | undefined {
  const seen = new Set<string>();
  const ways = after.map((next) => [id, next]);
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const last = way.at(-1) ?? id;
    if (last === id) return way;
    if (seen.has(last)) continue;
    seen.add(last);
    for (const next of list.get(last)?.after ?? []) ways.push([...way, next]);
  }
  return undefined;
}

function sayOwner({ owner }: Task): string {
  return owner === null ? 'belongs to nobody' : `belongs to ${owner}`;
}

function unknown(id: string, list: Tasks['list']): string {
  const ids = [...list.keys()].join(', ');
  return `there is no task ${id}${ids === '' ? '' : ` (there are ${ids})`}`;
}

function happens(event: TaskEvent): TaskDecision {
  return { kind: 'happens', event };
}

function refused(reason: string): TaskDecision {
  return { kind: 'refused', reason };
}
