// `codey setup`: the wizard in a terminal of its own.
import type { NamedCommandLine } from '../cli/command-line.ts';
import { openWizard } from '../setup/open-wizard.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import type { World } from '../start/world.ts';

type Setup = Extract<NamedCommandLine, { command: 'setup' }>;

/** What could not be saved the wizard itself has said. */
export async function setup({ flags }: Setup, world: World): Promise<number> {
  const end = await openWizard(flags.cwd, world);
  switch (end.kind) {
    case 'done':
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
