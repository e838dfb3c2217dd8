// `codey setup`: the wizard in a terminal of its own.
import path from 'node:path';
import { findProjectRoot, refuseInsideSession } from '@codey/hooks';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { SetupCancelled } from '../setup/prompts/prompt.ts';
import { openQuestionTerminal } from '../setup/prompts/terminal.ts';
import { runWizard } from '../setup/wizard.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import { loadProjectSettings } from '../start/project.ts';
import type { World } from '../start/world.ts';
import { familyOfThisProcess } from '../start/family.ts';

type Setup = Extract<NamedCommandLine, { command: 'setup' }>;

/** Works whatever the settings files hold: it may be what mends them. */
export async function setup({ flags }: Setup, world: World): Promise<number> {
  const family = familyOfThisProcess();
  const refused = refuseInsideSession(family, 'codey setup');
  if (refused !== undefined) throw new StartError(refused);
  const { home } = world;
  if (home === undefined) throw new StartError('HOME is not set, so there is no place to keep your settings');
  if (!world.stdin.isTTY || !world.stdout.isTTY) {
    throw new StartError(
      'codey setup asks questions, so it needs a terminal; settings can also be written by hand in ~/.codey/settings.json',
    );
  }
  const projectRoot = await findProjectRoot({ start: path.resolve(world.cwd, flags.cwd ?? '.'), home }).catch(
    () => {
      throw new StartError(`--cwd ${flags.cwd ?? world.cwd} does not exist`);
    },
  );
  const loaded = await loadProjectSettings(projectRoot, undefined, world);
  const terminal = openQuestionTerminal(world);
  try {
    const done = await runWizard({ terminal, world, home, projectRoot, loaded, family });
    return done ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    if (!(error instanceof SetupCancelled)) throw error;
    world.notices.note('setup was left; nothing was saved');
    return exitCodes.SIGINT;
  } finally {
    terminal.close();
  }
}
