// Runs command hooks: a line through a shell, or a program with its arguments.
import { runMarkerName } from './environment.ts';
import { type CommandPlace, missingProgram } from './missing.ts';
import { outputCap } from './output-cap.ts';
import type { ProcessHost, ProcessResult } from './process.ts';
import type { RunEnd, Runner } from './runner.ts';
import { shellArgv } from './shell.ts';

export function createCommandRunner({ processes }: { readonly processes: ProcessHost }): Runner {
  return {
    async run(request) {
      const { hook, workspace: cwd, environment, runId, onStart, signal } = request;
      const { handler } = hook;
      if (handler.type !== 'command')
        throw new TypeError(`a command runner was given a ${handler.type} hook`);
      const place: CommandPlace = { ...handler, cwd, environment };
      const missingBefore = missingProgram(place) !== undefined;
      const result = await processes.run({
        argv: commandArgv(handler),
        cwd,
        environment,
        input: request.input,
        deadlineMs: request.deadlineMs,
        marker: { name: runMarkerName, value: runId },
        outputCap,
        what: hook.id,
        ...(signal !== undefined && { signal }),
        ...(onStart !== undefined && { onStart: () => onStart() }),
      });
      return { ...result, end: failedLaunch(result, place, missingBefore) ?? result.end };
    },
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

/** What the shell said; it speaks after the programs it ran. */
function lastLine(result: ProcessResult): string {
  return result.stderr.trim().split('\n').at(-1)?.slice(0, 300) || 'the shell gave no reason';
}
