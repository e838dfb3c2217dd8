// `codey hooks validate`: every problem of every file, and what is allowed in them but hardly meant.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatProblem, loadSettings, type Problem, type SettingsFile } from '@codey/hooks';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import { loadProjectSettings } from '../start/project.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { findRoot } from '../start/find-root.ts';
import { suspicions } from './validate/suspicions.ts';
import { writeJson } from './write-json.ts';

type Validate = Extract<NamedCommandLine, { command: 'hooks validate' }>;

/** Exit code 2 for problems, which keep the program from starting; warnings do not. */
export async function hooksValidate({ arguments: named, flags }: Validate, world: World): Promise<number> {
  const root = await findRoot(flags.cwd, world);
  const files =
    named.files.length > 0
      ? await loadNamed(named.files, world)
      : (await loadProjectSettings(root, flags.settings, world)).files;
  const problems = files.flatMap((file) => file.problems);
  const warnings = [
    ...files.flatMap((file) => file.warnings),
    ...suspicions(files, { root, environment: world.environment }),
  ];
  if (flags.json)
    writeJson({ files: files.map(({ file, scope }) => ({ file, scope })), problems, warnings }, world);
  else world.stdout.write(`${sanitise([...report(files, warnings)].join('\n'))}\n`);
  return problems.length === 0 ? exitCodes.done : exitCodes.usage;
}

/** Files that are named are read by themselves, whether or not they are in force here. */
async function loadNamed(names: readonly string[], world: World): Promise<readonly SettingsFile[]> {
  const loaded = await Promise.all(
    names.map(async (name) => {
      const file = resolve(world.cwd, name);
      if ((await stat(file).catch(() => undefined)) === undefined)
        throw new StartError(`there is no ${file}`);
      // A project that is this very file has no settings of its own to be found beside it.
      return loadSettings({ projectRoot: file, settingsFile: file });
    }),
  );
  return loaded.flatMap(({ files }) => files);
}

function* report(files: readonly SettingsFile[], warnings: readonly Problem[]): Iterable<string> {
  if (files.length === 0)
    yield 'No settings files here. Hooks go into .codey/settings.json or ~/.codey/settings.json.';
  for (const { file, scope, hooks, lifecycle, problems } of files) {
    const count = hooks.length + lifecycle.length;
    yield `${problems.length === 0 ? 'ok ' : 'bad'}  ${file}  (${scope}, ${count} ${count === 1 ? 'hook' : 'hooks'})`;
    for (const problem of problems) yield `  ${formatProblem(problem)}`;
    for (const warning of warnings) if (warning.file === file) yield `  warning: ${formatProblem(warning)}`;
  }
  const problems = files.reduce((sum, file) => sum + file.problems.length, 0);
  if (problems > 0)
    yield `${problems} ${problems === 1 ? 'problem' : 'problems'}: the program does not start until they are corrected.`;
}
