// Hooks of the user and of managed settings: their scripts may change at will, but a guard must not go away unseen.
import { type FilePresence, findProgram } from '../runners/find-program.ts';
import { missingProgram } from '../runners/missing.ts';
import { readSimpleCommand } from '../runners/simple-command.ts';
import { speaksSh } from '../runners/shell.ts';
import { whatRuns } from '../policy/label.ts';
import type { AnyHook, TrustState } from './trust.ts';

/** Where a hook would run, with the environment it would get. */
export interface HookPlace {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What a hook starts that is not there, as a sentence; undefined where it is there or nothing certain can be said. */
export function whatIsMissing(
  hook: AnyHook,
  { cwd, environment }: HookPlace,
  present?: FilePresence,
): string | undefined {
  const handler = 'handler' in hook ? hook.handler : ({ type: 'command', command: hook.command } as const);
  if (handler.type !== 'command' && handler.type !== 'worker') return undefined;
  const missing = missingProgram({ ...handler, cwd, environment });
  if (missing !== undefined) return missing;
  const { args, shell } = 'args' in handler || 'shell' in handler ? handler : {};
  const words =
    args !== undefined
      ? [handler.command]
      : speaksSh(shell)
        ? readSimpleCommand(handler.command, environment)?.words
        : undefined;
  const program = words?.[0];
  if (typeof program !== 'string' || program.includes('/') || program.includes('=')) return undefined;
  return findProgram(program, { cwd, path: environment.PATH ?? '' }, present) === null
    ? `${program} is not on PATH`
    : undefined;
}

/** `missingAtStart` is what was missing when the session opened: that is a broken hook, and running it says so. */
export function checkVanished(
  hook: AnyHook,
  missingAtStart: string | undefined,
  place: HookPlace,
  present: FilePresence,
): TrustState {
  const missing = missingAtStart === undefined ? whatIsMissing(hook, place, present) : undefined;
  return missing === undefined
    ? { kind: 'trusted' }
    : { kind: 'changed', what: `${whatRuns(hook)} vanished since this session began (${missing}); review` };
}
