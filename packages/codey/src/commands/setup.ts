// `codey setup`: the wizard in a terminal of its own.
import { resolveSettings } from '@codey/hooks';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { readKeys } from '../setup/key-file.ts';
import { openWizard } from '../setup/open-wizard.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import { openModel, sayUnanswered } from '../start/model.ts';
import { loadProjectSettings } from '../start/project.ts';
import type { World } from '../start/world.ts';
import { findRoot } from '../start/find-root.ts';

type Setup = Extract<NamedCommandLine, { command: 'setup' }>;

/** What could not be saved the wizard itself has said. */
export async function setup({ flags }: Setup, world: World): Promise<number> {
  const end = await openWizard(flags, world);
  switch (end.kind) {
    case 'done':
      await sayWhatIsMissing(flags.cwd, world);
      return exitCodes.done;
    case 'failed':
      return exitCodes.failed;
    case 'left':
      world.notices.note(end.why);
      return exitCodes.SIGINT;
    case 'refused':
      throw new StartError(end.why);
  }
}

/** Whoever set the key aside for later hears of it now, and not from the first prompt. */
async function sayWhatIsMissing(cwd: string | undefined, world: World): Promise<void> {
  const loaded = await loadProjectSettings(await findRoot(cwd, world), undefined, world);
  const settings = resolveSettings(loaded, { agreed: () => false });
  const environment = { ...(await readKeys(world.home)), ...world.environment, ...settings.env };
  try {
    await openModel(settings, environment, undefined);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    world.notices.warn(sayUnanswered(error));
  }
}
