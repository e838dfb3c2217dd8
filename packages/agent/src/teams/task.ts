// The tasks of a team as the fold of what happened to them. Pure.
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
  /** The session its owner claimed it in: a later one of the same name is another worker. */
  readonly session: string | null;
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
  | {
      readonly kind: 'claimed';
      readonly id: string;
      readonly owner: string;
      readonly session: string;
    }
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
  return addEvents(noTasks, values.filter(isTaskEvent));
}

export function addEvent(tasks: Tasks, event: TaskEvent): Tasks {
  return addEvents(tasks, [event]);
}

/** Copies the list once, however many events there are. */
function addEvents(tasks: Tasks, events: readonly TaskEvent[]): Tasks {
  const list = new Map(tasks.list);
  let { lastId } = tasks;
  for (const event of events) {
    const next = changed(list.get(event.id), event);
    if (next !== undefined) list.set(event.id, next);
    lastId = Math.max(lastId, Number(event.id) || 0);
  }
  return { list, lastId };
}

/** Undefined where nothing changes. */
function changed(task: Task | undefined, event: TaskEvent): Task | undefined {
  if (event.kind !== 'created') return task === undefined ? undefined : applied(task, event);
  if (task !== undefined) return undefined;
  const { id, subject, description, after } = event;
  return { id, subject, description, after, status: 'pending', owner: null, session: null };
}

function applied(task: Task, event: Exclude<TaskEvent, { readonly kind: 'created' }>): Task {
  switch (event.kind) {
    case 'reserved':
      return task;
    case 'ordered':
      return { ...task, after: event.after };
    case 'claimed':
      return { ...task, status: 'in_progress', owner: event.owner, session: event.session };
    case 'released':
      return { ...task, status: 'pending', owner: null, session: null };
    case 'completed':
      return { ...task, status: 'completed' };
  }
}

const shapes = {
  reserved: { id: 'string' },
  created: { id: 'string', subject: 'string', description: 'string', after: 'array' },
  ordered: { id: 'string', after: 'array' },
  claimed: { id: 'string', owner: 'string', session: 'string' },
  released: { id: 'string' },
  completed: { id: 'string' },
} as const;

function isTaskEvent(value: unknown): value is TaskEvent {
  if (!matchesShape(value, { kind: 'string' })) return false;
  const kind = value.kind as string;
  return Object.hasOwn(shapes, kind) && matchesShape(value, shapes[kind as TaskEvent['kind']]);
}
