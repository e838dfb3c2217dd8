import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askUser, type Question } from './ask-user.ts';
import { createTodoList, type Todo } from './todo-list.ts';
import { todoWrite } from './todo-write.ts';
import { createToolWorld, type ToolWorld } from './tool-world.ts';

let world: ToolWorld;
beforeEach(async () => {
  world = await createToolWorld();
});
afterEach(() => world.dispose());

describe('ask_user', () => {
  const questions: readonly Question[] = [
    {
      header: 'Storage',
      question: 'Where?',
      options: [{ label: 'SQLite', description: 'One file.' }, { label: 'Files' }],
    },
    {
      header: 'Error handling',
      question: 'How?',
      options: [{ label: 'Throw' }, { label: 'Return' }],
      multiple: true,
    },
  ];

  it('hands the questions over and gives the answers to the model', async () => {
    const asked: unknown[] = [];
    const result = await world.call(
      askUser,
      { questions },
      {
        askUser: async (all) => {
          asked.push(all);
          return ['SQLite', ''];
        },
      },
    );
    expect(asked).toEqual([questions]);
    expect(result).toEqual({ kind: 'ok', output: 'Storage: SQLite\nError handling: (no answer)' });
  });

  it('is a tool error where nobody can answer [contract.blocked.print-mode]', async () => {
    expect(await world.call(askUser, { questions })).toEqual({
      kind: 'failed',
      error: 'failed',
      output: 'Nobody is here to answer. Decide yourself, say what you assumed, and go on.',
    });
  });

  it('is cancelled with the turn', async () => {
    const signal = AbortSignal.abort(new Error('interrupted'));
    const result = await world.call(
      askUser,
      { questions },
      {
        signal,
        askUser: (_, stopped) => Promise.reject(stopped.reason),
      },
    );
    expect(result).toMatchObject({ kind: 'failed', error: 'cancelled' });
  });
});

describe('todo_write', () => {
  it('replaces the whole list and shows it', async () => {
    const seen: (readonly Todo[])[] = [];
    const todos = createTodoList((list) => seen.push(list));
    const list: readonly Todo[] = [
      { content: 'Look', status: 'completed' },
      { content: 'Change', status: 'in_progress' },
      { content: 'Test', status: 'pending' },
    ];
    expect(await world.call(todoWrite, { todos: list }, { todos })).toEqual({
      kind: 'ok',
      output: '1 of 3 steps done\n[x] Look\n[>] Change\n[ ] Test',
    });
    expect(todos.read()).toEqual(list);
    expect(await world.call(todoWrite, { todos: [] }, { todos })).toEqual({
      kind: 'ok',
      output: 'The list is empty.',
    });
    expect(todos.read()).toEqual([]);
    expect(seen).toEqual([list, []]);
  });
});
