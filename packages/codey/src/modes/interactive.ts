// The full-screen mode, or plain lines where the terminal can do no more. A first frame is there before the heavy parts are.
import type { RunCommandLine } from '../cli/command-line.ts';
import type { HerdrReporting } from '../start/herdr.ts';
import type { World } from '../start/world.ts';
import { takeScreen } from '../tui/first-frame.ts';

/** Returns the exit code. Throws StartError for what keeps the first session from opening. */
export async function interactive(commandLine: RunCommandLine, world: World): Promise<number> {
  const herdr = await reportForPane(commandLine, world);
  try {
    return isDumb(world)
      ? await (await import('../tui/line-mode/line-mode.ts')).lineMode(commandLine, world, herdr)
      : await fullScreen(commandLine, world, herdr);
  } finally {
    // After a start that failed; whoever leaves in good order has said so before.
    await herdr?.release();
  }
}

/**
 * Its line is said before there is a screen, which says it again: it hides what stood there. Elsewhere nothing is loaded for it, which is why
 * the engine's own look at these three variables is not asked: it comes with the engine.
 */
async function reportForPane(commandLine: RunCommandLine, world: World): Promise<HerdrReporting | undefined> {
  const { HERDR_ENV, HERDR_PANE_ID, HERDR_BIN_PATH } = world.environment;
  if (HERDR_ENV !== '1' || !HERDR_PANE_ID || !HERDR_BIN_PATH) return undefined;
  return (await import('../tui/session/report-for-pane.ts')).reportForPane(commandLine, world);
}

async function fullScreen(
  commandLine: RunCommandLine,
  world: World,
  herdr: HerdrReporting | undefined,
): Promise<number> {
  const giveBack = takeScreen(world);
  try {
    return await (await import('../tui/run.ts')).runScreen(commandLine, world, herdr);
  } catch (error) {
    giveBack();
    throw error;
  }
}

function isDumb({ environment }: World): boolean {
  return environment.TERM === 'dumb' || (environment.TERM ?? '') === '';
}
