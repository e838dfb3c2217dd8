// `codey hooks validate`: every problem of every file, whatever keeps the program from starting.
import path from 'node:path';
import {
  findProjectRoot,
  formatProblem,
  type LoadedSettings,
  loadSettings,
  type SettingsFile,
} from '@codey/hooks';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes } from '../start/exit.ts';
import { loadProjectSettings } from '../start/project.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';

type Validate = Extract<NamedCommandLine, { command: 'hooks validate' }>;

export async function hooksValidate({ arguments: named, flags }: Validate, world: World): Promise<number> {
  const files =
    named.files.length > 0 ? await loadNamed(named.files, world) : (await loadHere(flags, world)).files;
  const problems = files.flatMap((file) => file.problems);
  const warnings = files.flatMap((file) => file.warnings);
  if (flags.json) {
    world.stdout.write(
      `${JSON.stringify({ files: files.map(({ file, scope }) => ({ file, scope })), problems, warnings }, null, 2)}\n`,
    );
  } else {
    world.stdout.write(`${[...report(files)].map((line) => sanitise(line)).join('\n')}\n`);
  }
  return problems.length === 0 ? exitCodes.done : exitCodes.usage;
}

async function loadHere(flags: Validate['flags'], world: World): Promise<LoadedSettings> {
  const root = await findProjectRoot({
    start: path.resolve(world.cwd, flags.cwd ?? '.'),
    ...(world.home !== undefined && { home: world.home }),
  });
  return loadProjectSettings(root, flags.settings, world);
}

/** Files that are named are read by themselves, whether or not they are in force here. */
async function loadNamed(names: readonly string[], world: World): Promise<readonly SettingsFile[]> {
  const loaded = await Promise.all(
    names.map((name) =>
      loadSettings({ projectRoot: path.join(world.cwd, name), settingsFile: path.resolve(world.cwd, name) }),
    ),
  );
  return loaded.flatMap(({ files }) => files);
}

function* report(files: readonly SettingsFile[]): Iterable<string> {
  if (files.length === 0)
    yield 'No settings files here. Hooks go into .codey/settings.json or ~/.codey/settings.json.';
  for (const file of files) {
    const hooks = file.hooks.length + file.lifecycle.length;
    yield `${file.problems.length === 0 ? 'ok ' : 'bad'}  ${file.file}  (${file.scope}, ${hooks} ${hooks === 1 ? 'hook' : 'hooks'})`;
    for (const problem of file.problems) yield `  ${formatProblem(problem)}`;
    for (const warning of file.warnings) yield `  warning: ${formatProblem(warning)}`;
  }
  const problems = files.reduce((sum, file) => sum + file.problems.length, 0);
  if (problems > 0)
    yield `${problems} ${problems === 1 ? 'problem' : 'problems'}: the program does not start until they are corrected.`;
}
