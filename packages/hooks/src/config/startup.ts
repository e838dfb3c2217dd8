// Whether the program may start with what stands in the settings files, and what to tell whoever must fix them.
import { formatProblem, type Problem } from './problem.ts';
import { isFromRepository } from './scopes.ts';
import type { LoadedSettings, SettingsFile } from './settings.ts';
import type { HookFlags } from './snapshot.ts';

/** Why the program may not start, ready to be shown. */
export interface StartRefusal {
  /** Every problem that counts, in the order of the files. */
  readonly problems: readonly Problem[];
  /** The whole message: all problems, then what can be done. No newline at the end. */
  readonly text: string;
  /** Whether `--no-project-hooks` would let the program start with all of the user's own hooks. */
  readonly withoutProjectHooks: boolean;
}

/**
 * Undefined when the program may start. A flag that leaves hooks out also leaves out the problems inside `hooks` of the
 * same files; a file that cannot be read and a bad rule refuse whatever the flags say, since they may hold a `deny`.
 * `command` is what was to be done instead of a start, such as `codey hooks list`.
 */
export function checkStart(
  loaded: LoadedSettings,
  flags: HookFlags = {},
  command?: string,
): StartRefusal | undefined {
  const problems = problemsThatCount(loaded, flags);
  if (problems.length === 0) return undefined;
  const withoutProjectHooks = problemsThatCount(loaded, { ...flags, noProjectHooks: true }).length === 0;
  return { problems, text: explain(problems, withoutProjectHooks, command), withoutProjectHooks };
}

function problemsThatCount(loaded: LoadedSettings, flags: HookFlags): readonly Problem[] {
  return loaded.files.flatMap((file) =>
    file.problems.filter((problem) => problem.area !== 'hooks' || hooksOfferedBy(file, flags)),
  );
}

/** Whether hooks of the file would run at all. */
function hooksOfferedBy(file: SettingsFile, { noHooks = false, noProjectHooks = false }: HookFlags): boolean {
  if (noHooks) return file.locked;
  return !(noProjectHooks && isFromRepository(file.scope));
}

function explain(
  problems: readonly Problem[],
  withoutProjectHooks: boolean,
  command: string | undefined,
): string {
  const files = new Set(problems.map(({ file }) => file)).size;
  const many = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const where = files === 1 ? 'a settings file' : `${files} settings files`;
  const wayIn = 'To start without this repository’s hooks, keeping your own: codey --no-project-hooks';
  const listed = problems.map((problem) => `  ${formatProblem(problem)}`);
  if (command !== undefined)
    return [
      `${command} was not done: ${many} in ${where}.`,
      '',
      ...listed,
      '',
      'Correct them and run it again; `codey hooks validate` checks them all.',
    ].join('\n');
  return [
    `codey did not start: ${many} in ${where}.`,
    '',
    ...listed,
    '',
    'Correct them and start again; `codey hooks validate` checks without starting.',
    ...(withoutProjectHooks ? [wayIn] : []),
  ].join('\n');
}
