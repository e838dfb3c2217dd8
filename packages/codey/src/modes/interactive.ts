// The full-screen mode, or plain lines where the terminal can do no more. A first frame is there before the heavy parts are.
import type { RunCommandLine } from '../cli/command-line.ts';
import type { World } from '../start/world.ts';
import { takeScreen } from '../tui/first-frame.ts';

/** Returns the exit code. Throws StartError for what keeps the first session from opening. */
export async function interactive(commandLine: RunCommandLine, world: World): Promise<number> {
  if (isDumb(world))
    return await (await import('../tui/line-mode/line-mode.ts')).lineMode(commandLine, world);
  const giveBack = takeScreen(world);
  try {
    return await (await import('../tui/run.ts')).runScreen(commandLine, world);
  } catch (error) {
    giveBack();
    throw error;
  }
}

function isDumb({ environment }: World): boolean {
  return environment.TERM === 'dumb' || (environment.TERM ?? '') === '';
}
