// Shows the tasks of the team.
import * as v from 'valibot';
import { failed, ok } from './result.ts';
import { type SharedTask, sayTask } from './say-task.ts';
import description from './task-list.md';
import { defineTool, type Tool } from './tool.ts';

export interface TaskListPort {
  /** Never rejects. */
  readonly list: () => Promise<
    | { readonly kind: 'done'; readonly value: readonly (SharedTask & { readonly description: string })[] }
    | { readonly kind: 'refused'; readonly reason: string }
  >;
}

export function createTaskList({ list }: TaskListPort): Tool {
  return defineTool({
    name: 'task_list',
    description,
    input: v.strictObject({}),
    access: 'free',
    subject: () => ({ kind: 'none' }),
    async run() {
      const listed = await list();
      if (listed.kind === 'refused') return failed(`There are no tasks: ${listed.reason}.`);
      if (listed.value.length === 0) return ok('There are no tasks yet; task_create adds one.');
      return ok(listed.value.map(sayWhole).join('\n'));
    },
  });
}

/** What is done needs no description any more. */
function sayWhole(task: SharedTask & { readonly description: string }): string {
  const text = task.status === 'completed' ? '' : task.description.trim();
  return text === '' ? sayTask(task) : `${sayTask(task)}\n${text.replaceAll(/^/gm, '  ')}`;
}
