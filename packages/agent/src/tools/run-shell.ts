// Runs a command line and waits for it, or starts it in the background.
import type { ProcessResult } from '@codey/hooks';
import * as v from 'valibot';
import { describeEnd, runCommandLine } from './command-line.ts';
import { flagField, numberField, pathField, textField } from './fields.ts';
import { explainFileError } from './file-errors.ts';
import { resolvePath } from './files.ts';
import { count, createHeadTail } from './output.ts';
import { failed, ok } from './result.ts';
import description from './run-shell.md';
import { showName } from './show-name.ts';
import { defineTool, type ToolContext, type ToolResult } from './tool.ts';
import { promptFiles } from '@codey/hooks';
import { withoutEscapes } from './without-escapes.ts';

const { stat } = promptFiles;

const defaultTimeout = 120;
const longestTimeout = 600;

export const runShell = defineTool({
  name: 'run_shell',
  description,
  input: v.strictObject({
    command: v.pipe(textField('The command line.'), v.regex(/\S/, 'must not be empty')),
    cwd: v.optional(pathField('The directory to run in.')),
    timeout: v.optional(numberField(1, longestTimeout, 'Seconds until the command is ended.')),
    background: v.optional(flagField('Start it and go on without waiting.')),
  }),
  access: 'execute',
  subject: ({ command }) => ({ kind: 'command', line: command }),
  async run({ command, cwd, timeout = defaultTimeout, background = false }, context) {
    const directory = await findDirectory(cwd ?? context.cwd, context);
    if (directory.kind === 'refused') return failed(directory.message);
    if (command.includes('\0'))
      return failed('The command holds a NUL character, which no program can be given.');
    const { environment, signal } = context;
    if (background) return startInBackground(command, directory.path, context);
    const output = createHeadTail();
    const result = await runCommandLine(context.processes, {
      command,
      cwd: directory.path,
      environment,
      deadlineMs: timeout * 1_000,
      signal,
      onOutput(text) {
        output.add(text);
        context.report(text);
      },
    });
    return toResult(result, withoutEscapes(output.text()));
  },
});

type Directory =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'refused'; readonly message: string };

async function findDirectory(cwd: string, context: ToolContext): Promise<Directory> {
  const { absolute } = await resolvePath(cwd, context);
  try {
    if ((await stat(absolute)).isDirectory()) return { kind: 'directory', path: absolute };
    return { kind: 'refused', message: `The command was not run: cwd ${showName(cwd)} is not a directory.` };
  } catch (error) {
    return { kind: 'refused', message: `The command was not run: cwd ${explainFileError(error, cwd)}` };
  }
}

function startInBackground(
  command: string,
  cwd: string,
  { background, environment }: ToolContext,
): ToolResult {
  const id = background.start({ command, cwd, environment });
  if (id !== null) return ok(`Started in the background as ${id}. Read what it prints with shell_output.`);
  return failed(
    `The command was not started: too many run in the background (${background.ids().join(', ')}). End one with shell_kill.`,
  );
}

function toResult(result: ProcessResult, printed: string): ToolResult {
  const { end, leftRunning } = result;
  const ending = describeEnd(result);
  const left = leftRunning > 0 ? `left ${count(leftRunning, 'process', 'processes')} running` : null;
  const notes = [ending, left].filter((note) => note !== null);
  const output = [
    printed.replace(/\n$/, '') || '[no output]',
    ...(notes.length > 0 ? [`[${notes.join('; ')}]`] : []),
  ].join('\n');
  if (ending === null) return ok(output);
  if (end.kind === 'timed-out') {
    const advice = `[Give a timeout of up to ${longestTimeout} seconds, or run it with background: true.]`;
    return { kind: 'failed', error: 'timed-out', output: `${output}\n${advice}` };
  }
  return { kind: 'failed', error: end.kind === 'cancelled' ? 'cancelled' : 'failed', output };
}
