import { describe, expect, it } from 'vitest';
import { askUser } from './ask-user.ts';
import { grepSearch } from './grep-search.ts';
import { readFile } from './read-file.ts';
import { runShell } from './run-shell.ts';
import { todoWrite } from './todo-write.ts';
import type { Tool } from './tool.ts';
import { validateInput } from './validate.ts';

const question = { header: 'H', question: 'Q?', options: [{ label: 'a' }, { label: 'b' }] };

const rows: readonly (readonly [Tool, unknown, string])[] = [
  [readFile, {}, 'path is missing'],
  [readFile, { path: 5 }, 'path must be a string, not 5'],
  [readFile, { path: null }, 'path must be a string, not null'],
  [readFile, { path: '' }, 'path must not be empty'],
  [readFile, { path: 'f', offset: '3' }, 'offset must be a number, not "3"'],
  [readFile, { path: 'f', offset: 0 }, `offset must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`],
  [readFile, { path: 'f', limit: 1.5 }, 'limit must be a whole number from 1 to 2000'],
  [readFile, { file_path: 'f' }, 'path is missing; file_path is not a field (did you mean path?)'],
  [readFile, { path: 'f', zzz: 1 }, 'zzz is not a field (the fields are path, offset, limit)'],
  [readFile, 'f', 'the input must be an object, not "f"'],
  [readFile, undefined, 'the input is missing'],
  [grepSearch, { pattern: 'x', ignore_case: 'yes' }, 'ignore_case must be true or false, not "yes"'],
  [grepSearch, { pattern: 'x', ignorecase: true }, 'ignorecase is not a field (did you mean ignore_case?)'],
  [runShell, { command: '  ' }, 'command must not be empty'],
  [runShell, { command: 'x', timeout: 1_000 }, 'timeout must be a whole number from 1 to 600'],
  [
    todoWrite,
    { todos: [{ content: 'a', status: 'done' }] },
    'todos[0].status must be ("pending" | "in_progress" | "completed"), not "done"',
  ],
  [todoWrite, { todos: [{ content: 'a', status: 'pending', id: 1 }] }, 'todos[0].id is not a field'],
  [askUser, { questions: [] }, 'questions must hold one to four questions'],
  [
    askUser,
    { questions: [{ ...question, options: [{ label: 'a' }] }] },
    'questions[0].options must hold two to ten options',
  ],
];

describe('validateInput', () => {
  it.each(rows.map((row) => [row[0].name, ...row] as const))('%s', (_, tool, input, findings) => {
    expect(validateInput(tool, input)).toEqual({
      ok: false,
      message: `The input of ${tool.name} is not valid: ${findings}.`,
    });
  });

  it('does not take an array for an object', () => {
    expect(validateInput(readFile, [])).toEqual({
      ok: false,
      message: 'The input of read_file must be an object, not an array.',
    });
  });

  it('gives valid input back as it is', () => {
    expect(validateInput(readFile, { path: 'f' })).toEqual({ ok: true, value: { path: 'f' } });
  });

  it('stops after a few findings', () => {
    const todos = Array.from({ length: 20 }, () => 5);
    const validated = validateInput(todoWrite, { todos });
    expect(validated).toMatchObject({
      ok: false,
      message: expect.stringMatching(/todos\[7\].*; and 12 more\.$/),
    });
  });
});
