// Runs command hooks: a line through a shell, or a program with its arguments.
import { runMarkerName } from './environment.ts';
import { type CommandPlace, missingProgram } from './missing.ts';
import { outputCap } from './output-cap.ts';
import type { ProcessHost, ProcessRequest, ProcessResult } from './process.ts';
import type { RunEnd, Runner, RunRequest } from './runner.ts';
import { shellArgv, speaksSh } from './shell.ts';

/**
 * Runs `command` hooks as processes of their own group. A program that does not exist is a failure and never a
 * verdict.
 */
export function createCommandRunner({ processes }: { readonly processes: ProcessHost }): Runner {
  return {
    async run(request) {
      const { hook, workspace: cwd, environment, onStart } = request;
      const { handler } = hook;
      if (handler.type !== 'command')
        throw new TypeError(`a command runner was given a ${handler.type} hook`);
      const place: CommandPlace = { ...handler, cwd, environment };
      const missingBefore = missingProgram(place) !== undefined;
      const process = processRequest(request, commandArgv(handler));
      const result = await processes.run(
        onStart === undefined ? process : { ...process, onStart: () => onStart() },
      );
      const end =
        failedLaunch(result, place, missingBefore) ?? (await unreadable(result, place, process, processes));
      return { ...result, end: end ?? result.end };
    },
  };
}

function processRequest(request: RunRequest, argv: ProcessRequest['argv']): ProcessRequest {
  const { hook, workspace, environment, input, deadlineMs, runId, signal } = request;
  return {
    argv,
    cwd: workspace,
    environment,
    input,
    deadlineMs,
    marker: { name: runMarkerName, value: runId },
    outputCap,
    what: hook.id,
    ...(signal !== undefined && { signal }),
  };
}

/** Program and arguments of a command or worker handler. */
export function commandArgv(handler: {
  readonly command: string;
  readonly args?: readonly string[];
  readonly shell?: string;
}): readonly [string, ...string[]] {
  return handler.args === undefined
    ? shellArgv(handler.command, handler.shell)
    : [handler.command, ...handler.args];
}

/**
 * Undefined for a run that may have been the hook's own. A script counts as missing only if it was so before and after
 * the run: one that removes itself has run. A shell's 126 and 127 are no verdicts, but what was printed before is kept.
 */
function failedLaunch(
  result: ProcessResult,
  place: CommandPlace,
  missingBefore: boolean,
): RunEnd | undefined {
  const { end } = result;
  if (end.kind !== 'exited' || end.code === 0) return undefined;
  const missing = missingBefore ? missingProgram(place) : undefined;
  if (missing !== undefined) return { kind: 'failed', cause: 'missing', message: missing };
  if (result.stdout.trim() !== '') return undefined;
  if (end.code === 127) {
    return {
      kind: 'failed',
      cause: 'missing',
      message: `a program it names was not found: ${lastLine(result)}`,
    };
  }
  if (end.code === 126) {
    return {
      kind: 'failed',
      cause: 'not-executable',
      message: `a program it names may not be executed (chmod +x helps): ${lastLine(result)}`,
    };
  }
  return undefined;
}

/**
 * A line that is no valid shell ends with 2, like a block. The shell is asked to read it once more without running it,
 * and only if it complains in the very words of the run was there nothing to run.
 */
async function unreadable(
  result: ProcessResult,
  place: CommandPlace,
  process: ProcessRequest,
  processes: ProcessHost,
): Promise<RunEnd | undefined> {
  const { end, stdout, stderr } = result;
  if (end.kind !== 'exited' || end.code !== 2 || stdout.trim() !== '' || stderr.trim() === '')
    return undefined;
  if (place.args !== undefined || !speaksSh(place.shell)) return undefined;
  const [shell, ...rest] = process.argv;
  const check = await processes.run({ ...process, argv: [shell, '-n', ...rest], input: '' });
  const complaint = check.stderr.trim();
  if (check.end.kind !== 'exited' || check.end.code === 0 || complaint === '') return undefined;
  if (!stderr.includes(complaint)) return undefined;
  return { kind: 'failed', cause: 'spawn', message: `the shell cannot read its command: ${lastLine(check)}` };
}

/** What the shell said; it speaks after the programs it ran. */
function lastLine(result: ProcessResult): string {
  return result.stderr.trim().split('\n').at(-1)?.slice(0, 300) || 'the shell gave no reason';
}
