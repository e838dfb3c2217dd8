// Adds a task to the team's list.
import * as v from 'valibot';
import { pathField, textField } from './fields.ts';
import { failed, ok } from './result.ts';
import description from './task-create.md';
import { type SharedTask, sayTask } from './say-task.ts';
import { defineTool, type Tool } from './tool.ts';

export interface TaskCreatePort {
  /** Never rejects. */
  readonly create: (task: {
    readonly subject: string;
    readonly description?: string;
    readonly after?: readonly string[];
  }) => Promise<
    | { readonly kind: 'done'; readonly value: SharedTask }
    | { readonly kind: 'refused'; readonly reason: string }
  >;
}

export function createTaskCreate({ create }: TaskCreatePort): Tool {
  return defineTool({
    name: 'task_create',
    description,
    input: v.strictObject({
      subject: v.pipe(
        textField('The task in one line.'),
        v.regex(/^[^\n]*\S[^\n]*$/, 'must be one line that is not empty'),
        v.maxLength(200, 'must have at most 200 characters'),
      ),
      description: v.optional(
        v.pipe(textField('What is to be done.'), v.maxLength(20_000, 'must have at most 20,000 characters')),
      ),
      after: v.optional(
        v.pipe(v.array(pathField('Id of a task.')), v.maxLength(100, 'must hold at most 100 ids')),
      ),
    }),
    access: 'free',
    subject: () => ({ kind: 'none' }),
    async run({ subject, description: what, after }) {
      const created = await create({
        subject,
        ...(what !== undefined && { description: what }),
        ...(after !== undefined && { after }),
      });
      if (created.kind === 'refused') return failed(`The task was not created: ${created.reason}.`);
      return ok(`Created: ${sayTask(created.value)}`);
    },
  });
}
