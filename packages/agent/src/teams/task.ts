// The tasks of a team as the fold of what happened to them, and whether a change may happen. Pure.
import { matchesShape } from '@codey/hooks';

export type TaskStatus = 'pending' | 'in_progress' | 'completed';

export interface Task {
  /** Unique in its team: 1, 2, 3 … */
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  readonly status: TaskStatus;
  /** Who works on it, or did; null while nobody has it. */
  readonly owner: string | null;
  /** Tasks that must be completed before it can be claimed. */
  readonly after: readonly string[];
}

/** The lines of `tasks.jsonl`. */
export type TaskEvent =
  /** The id is taken; the task comes when its hooks have agreed. */
  | { readonly kind: 'reserved'; readonly id: string }
  | {
      readonly kind: 'created';
      readonly id: string;
      readonly subject: string;
      readonly description: string;
      readonly after: readonly string[];
    }
  | { readonly kind: 'ordered'; readonly id: string; readonly after: readonly string[] }
  | { readonly kind: 'claimed'; readonly id: string; readonly owner: string }
  /** Its owner gave it up or is gone. */
  | { readonly kind: 'released'; readonly id: string }
  | { readonly kind: 'completed'; readonly id: string };

export interface Tasks {
  readonly list: ReadonlyMap<string, Task>;
  /** The highest number that was ever taken. */
  readonly lastId: number;
}

export const noTasks: Tasks = { list: new Map(), lastId: 0 };

/** Lines of another kind, or of none, are passed over. */
export function foldTasks(values: readonly unknown[]): Tasks {
  return values.filter(isTaskEvent).reduce(addEvent, noTasks);
}

export function addEvent({ list, lastId }: Tasks, event: TaskEvent): Tasks {
  const { id } = event;
  const next = changed(list.get(id), event);
  return {
    list: next === undefined ? list : new Map(list).set(id, next),
    lastId: Math.max(lastId, Number(id) || 0),
  };
}

/** Undefined where nothing changes. */
function changed(task: Task | undefined, event: TaskEvent): Task | undefined {
  if (event.kind !== 'created') return task === undefined ? undefined : applied(task, event);
  if (task !== undefined) return undefined;
  const { id, subject, description, after } = event;
  return { id, subject, description, after, status: 'pending', owner: null };
}

function applied(task: Task, event: Exclude<TaskEvent, { readonly kind: 'created' }>): Task {
  switch (event.kind) {
    case 'reserved':
      return task;
    case 'ordered':
      return { ...task, after: event.after };
    case 'claimed':
      return { ...task, status: 'in_progress', owner: event.owner };
    case 'released':
      return { ...task, status: 'pending', owner: null };
    case 'completed':
      return { ...task, status: 'completed' };
  }
}

const shapes = {
  reserved: { id: 'string' },
  created: { id: 'string', subject: 'string', description: 'string', after: 'array' },
  ordered: { id: 'string', after: 'array' },
  claimed: { id: 'string', owner: 'string' },
  released: { id: 'string' },
  completed: { id: 'string' },
} as const;

function isTaskEvent(value: unknown): value is TaskEvent {
  if (!matchesShape(value, { kind: 'string' })) return false;
  const kind = value.kind as string;
  return Object.hasOwn(shapes, kind) && matchesShape(value, shapes[kind as TaskEvent['kind']]);
}

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
  | { readonly kind: 'claim'; readonly id?: string; readonly by: string }
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
  { id, by }: Extract<TaskChange, { readonly kind: 'claim' }>,
): TaskDecision {
  if (id === undefined) {
    const ready = [...list.values()].find(
      (task) => task.status === 'pending' && openBefore(task, list).length === 0,
    );
    return ready === undefined
      ? refused('no task is ready: all are taken, done or wait for others')
      : happens({ kind: 'claimed', id: ready.id, owner: by });
  }
  const task = list.get(id);
  if (task === undefined) return refused(unknown(id, list));
  if (task.status !== 'pending')
    return refused(`task ${id} ${task.status === 'completed' ? 'is completed' : sayOwner(task)}`);
  const before = openBefore(task, list);
  if (before.length > 0) return refused(`task ${id} waits for ${before.join(', ')}`);
  return happens({ kind: 'claimed', id, owner: by });
}

/** The tasks it still waits for. */
export function openBefore(task: Task, list: Tasks['list']): readonly string[] {
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
