// Takes a task, gives it back, completes it, or puts it behind others.
import * as v from 'valibot';
import { pathField } from './fields.ts';
import { failed, ok } from './result.ts';
import { type SharedTask, sayTask } from './say-task.ts';
import description from './task-update.md';
import { defineTool, type Tool } from './tool.ts';

type Updated =
  | { readonly kind: 'done'; readonly value: SharedTask }
  | { readonly kind: 'refused'; readonly reason: string };

/** None of it rejects. */
export interface TaskUpdatePort {
  /** Without an id: the first that is ready. */
  readonly claim: (id: string | undefined) => Promise<Updated>;
  readonly release: (id: string) => Promise<Updated>;
  readonly complete: (id: string) => Promise<Updated>;
  readonly order: (id: string, after: readonly string[]) => Promise<Updated>;
}

const actions = ['claim', 'complete', 'release', 'order'] as const;

export function createTaskUpdate(port: TaskUpdatePort): Tool {
  const update = (action: (typeof actions)[number], id: string | undefined, after: readonly string[]) => {
    if (action === 'claim') return port.claim(id);
    if (id === undefined)
      return Promise.resolve({ kind: 'refused', reason: `${action} needs an id` } as const);
    if (action === 'order') return port.order(id, after);
    return port[action](id);
  };
  return defineTool({
    name: 'task_update',
    description,
    input: v.strictObject({
      action: v.pipe(v.picklist(actions), v.description('What to do with it.')),
      task: v.optional(pathField('Id of the task.')),
      after: v.optional(
        v.pipe(v.array(pathField('Id of a task.')), v.maxLength(100, 'must hold at most 100 ids')),
      ),
    }),
    access: 'free',
    subject: () => ({ kind: 'none' }),
    async run({ action, task, after = [] }) {
      const updated = await update(action, task, after);
      return updated.kind === 'done'
        ? ok(sayTask(updated.value))
        : failed(`Nothing changed: ${updated.reason}.`);
    },
  });
}
