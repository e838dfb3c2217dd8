// The input of a tool call: as hooks of this format read it, and back from what they make of it.
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '../reading.ts';
import { isTranslated, type TranslatedTool } from './names.ts';

/** One argument under both names. What is not listed keeps its name and value. */
interface Argument {
  readonly ours: string;
  readonly theirs: string;
  readonly encode?: (value: unknown, cwd: string) => unknown;
  readonly decode?: (value: unknown) => unknown;
}

interface Translation {
  readonly arguments: readonly Argument[];
  /** Arguments only they have, with the value a call of ours amounts to. Not read back. */
  readonly added?: Fields;
  /** Further arguments only they have. Not read back. */
  readonly dropped?: readonly string[];
  /** Arguments only we have: a hook cannot mean to take away what it does not know of. */
  readonly kept?: readonly string[];
}

/**
 * Paths become absolute, as hooks of this format expect them. `cwd` is the session's directory. The input of a tool that
 * is not translated, such as one of an MCP server, stays as it is.
 */
export function encodeInput(tool: string, input: Fields, cwd: string): Fields {
  if (!isTranslated(tool)) return input;
  const { arguments: known, added = {} } = translations[tool];
  const entries = Object.entries(input).map(([key, value]) => {
    const argument = known.find(({ ours }) => ours === key);
    return argument === undefined ? [key, value] : [argument.theirs, encodeValue(argument, value, cwd)];
  });
  return { ...added, ...Object.fromEntries(entries) };
}

/**
 * The input a hook answered with, for the tool it was asked about. An argument it left as it was shown stays as the
 * model wrote it, relative path and all, so that an unchanged input comes back as the same input.
 */
export function decodeInput(tool: string, given: Fields, before: { input: Fields; cwd: string }): Fields {
  if (!isTranslated(tool)) return given;
  const { arguments: known, added = {}, dropped = [], kept = [] } = translations[tool];
  const shown = encodeInput(tool, before.input, before.cwd);
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (Object.hasOwn(added, key) || dropped.includes(key)) continue;
    const argument = known.find(({ theirs }) => theirs === key);
    const name = argument?.ours ?? key;
    const unchanged = Object.hasOwn(shown, key) && isDeepStrictEqual(value, shown[key]);
    if (unchanged && Object.hasOwn(before.input, name)) result[name] = before.input[name];
    else if (!unchanged) result[name] = argument?.decode?.(value) ?? value;
  }
  for (const name of kept) {
    if (Object.hasOwn(before.input, name) && !Object.hasOwn(result, name)) result[name] = before.input[name];
  }
  return result;
}

function encodeValue({ encode }: Argument, value: unknown, cwd: string): unknown {
  return encode === undefined ? value : encode(value, cwd);
}

const absolute = (value: unknown, cwd: string): unknown =>
  typeof value === 'string' ? resolve(cwd, value) : value;

const filePath: Argument = { ours: 'path', theirs: 'file_path', encode: absolute };
const directory: Argument = { ours: 'path', theirs: 'path', encode: absolute };

/** Theirs counts milliseconds. */
const timeout: Argument = {
  ours: 'timeout',
  theirs: 'timeout',
  encode: (value) => (typeof value === 'number' ? value * 1000 : value),
  decode: (value) => (typeof value === 'number' ? Math.max(1, Math.ceil(value / 1000)) : value),
};

const todos: Argument = {
  ours: 'todos',
  theirs: 'todos',
  encode: (value) => eachObject(value, (todo) => ({ ...todo, activeForm: todo.content })),
  decode: (value) => eachObject(value, (todo) => without(todo, 'activeForm')),
};

const questions: Argument = {
  ours: 'questions',
  theirs: 'questions',
  encode: (value) =>
    eachObject(value, ({ multiple = false, ...question }) => ({ ...question, multiSelect: multiple })),
  decode: (value) =>
    eachObject(value, ({ multiSelect = false, ...question }) => ({ ...question, multiple: multiSelect })),
};

const renamed = (ours: string, theirs: string): Argument => ({ ours, theirs });

const translations: Readonly<Record<TranslatedTool, Translation>> = {
  run_shell: {
    arguments: [timeout, renamed('background', 'run_in_background')],
    dropped: ['description', 'dangerouslyDisableSandbox'],
    kept: ['cwd'],
  },
  shell_output: { arguments: [renamed('id', 'bash_id')], kept: ['wait'] },
  shell_kill: { arguments: [renamed('id', 'shell_id')] },
  read_file: { arguments: [filePath], dropped: ['pages'] },
  edit_file: { arguments: [filePath] },
  write_file: { arguments: [filePath] },
  list_directory: { arguments: [directory], dropped: ['ignore'] },
  glob_search: { arguments: [directory] },
  grep_search: {
    arguments: [directory, renamed('ignore_case', '-i'), renamed('context', '-C')],
    added: { output_mode: 'content' },
    dropped: ['-n', 'head_limit'],
  },
  web_fetch: { arguments: [], dropped: ['prompt'], kept: ['offset'] },
  todo_write: { arguments: [todos] },
  ask_user: { arguments: [questions], dropped: ['answers', 'metadata'] },
  spawn_agent: {
    arguments: [renamed('agent', 'subagent_type')],
    dropped: ['description', 'model', 'run_in_background'],
  },
  agent_result: { arguments: [renamed('name', 'task_id'), timeout], dropped: ['block'] },
  send_message: { arguments: [] },
  get_skill: { arguments: [renamed('name', 'skill')] },
  enter_worktree: { arguments: [] },
  exit_worktree: { arguments: [] },
};

function eachObject(value: unknown, translate: (item: Record<string, unknown>) => unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) =>
    typeof item === 'object' && item !== null ? translate(item as Record<string, unknown>) : item,
  );
}

function without(fields: Fields, key: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));
}
