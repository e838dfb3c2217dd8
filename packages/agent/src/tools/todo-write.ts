// Replaces the agent's list of work.
import * as v from 'valibot';
import { textField } from './fields.ts';
import { count } from './output.ts';
import { ok } from './result.ts';
import { type TodoState, todoStates } from './todo-list.ts';
import description from './todo-write.md';
import { defineTool } from './tool.ts';

export const todoWrite = defineTool({
  name: 'todo_write',
  description,
  input: v.strictObject({
    todos: v.pipe(
      v.array(
        v.strictObject({
          content: v.pipe(textField('What is to be done.'), v.regex(/\S/, 'must not be empty')),
          status: v.picklist(todoStates),
        }),
      ),
      v.maxLength(100, 'must hold at most 100 entries'),
    ),
  }),
  access: 'free',
  subject: () => ({ kind: 'none' }),
  async run({ todos }, context) {
    context.todos.replace(todos);
    if (todos.length === 0) return ok('The list is empty.');
    const done = todos.filter(({ status }) => status === 'completed').length;
    const lines = todos.map(({ content, status }) => `${boxes[status]} ${content}`);
    return ok(`${done} of ${count(todos.length, 'step')} done\n${lines.join('\n')}`);
  },
});

const boxes: Readonly<Record<TodoState, string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
};
