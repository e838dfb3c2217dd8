// What a tool returned, in the shape that hooks of this format take apart.
import type { Fields } from '../reading.ts';
import { isTranslated, type TranslatedTool } from './names.ts';

/**
 * `input` is the input in their notation. There is one text here where they keep a record, so a field is given only
 * where the text and the input really say it.
 */
export function toolResponse(tool: string, input: Fields, result: string): unknown {
  if (isTranslated(tool)) return responses[tool](input, result);
  return tool.startsWith('mcp__') ? [textBlock(result)] : asRecord({}, result);
}

type Respond = (input: Fields, result: string) => unknown;

/** Typed hooks expect a record of every tool. */
const asRecord: Respond = (_input, content) => ({ content });

/** A model is told that nothing was printed; hooks of this format look for an empty text. */
const nothingPrinted = '[no output]';

const asShell: Respond = (_input, printed) => ({
  stdout: printed === nothingPrinted ? '' : printed,
  stderr: '',
  interrupted: false,
  isImage: false,
});

const responses: Readonly<Record<TranslatedTool, Respond>> = {
  run_shell: asShell,
  shell_output: asShell,
  shell_kill: (_input, message) => ({ message }),
  read_file: ({ file_path, offset = 1 }, content) => ({
    type: 'text',
    file: { filePath: file_path, content, numLines: content.split('\n').length, startLine: offset },
  }),
  edit_file: ({ file_path, old_string, new_string, replace_all = false }) => ({
    success: true,
    filePath: file_path,
    oldString: old_string,
    newString: new_string,
    replaceAll: replace_all,
    userModified: false,
    structuredPatch: [],
  }),
  write_file: ({ file_path, content }) => ({
    success: true,
    filePath: file_path,
    content,
    structuredPatch: [],
  }),
  list_directory: asRecord,
  glob_search: (_input, result) => {
    const filenames = linesOf(result);
    return { filenames, numFiles: filenames.length, truncated: false };
  },
  grep_search: (_input, content) => ({ mode: 'content', content, numLines: linesOf(content).length }),
  web_fetch: ({ url }, result) => ({ url, result }),
  todo_write: ({ todos }) => ({ newTodos: todos }),
  ask_user: ({ questions }, result) => ({ questions, result }),
  // Agents are started and go on by themselves; what they found comes with `agent_result`.
  spawn_agent: (_input, result) => ({ status: 'async_launched', content: [textBlock(result)] }),
  agent_result: (_input, result) => ({ status: 'completed', content: [textBlock(result)] }),
  send_message: (_input, message) => ({ success: true, message }),
  get_skill: ({ skill }) => ({ success: true, commandName: skill }),
  enter_worktree: (_input, message) => ({ message }),
  exit_worktree: (_input, message) => ({ message }),
};

function textBlock(text: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text };
}

/** Without the notes in square brackets that tools add behind their result. */
function linesOf(result: string): readonly string[] {
  return result.split('\n').filter((line) => line !== '' && !/^\[.*\]$/.test(line));
}

/**
 * A replacement for what the model sees, as the text it is: from a string, from a record in the tool's own shape, or
 * from the content blocks of an MCP result.
 */
export function responseText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return value
      .map(responseText)
      .filter((text) => text !== '')
      .join('\n');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const record = value as Fields;
  if (typeof record.stdout === 'string') {
    return [record.stdout, record.stderr]
      .filter((text) => typeof text === 'string' && text !== '')
      .join('\n');
  }
  const inner = [record.text, record.content, record.result, record.file].find((part) => part !== undefined);
  return inner === undefined ? JSON.stringify(value) : responseText(inner);
}
