// The wizard from outside: whether it may run here, for which project, and how it ended.
import { type HookFlags, refuseInsideSession } from '@codey/hooks';
import { familyOfThisProcess } from '../start/family.ts';
import { findRoot } from '../start/find-root.ts';
import { loadProjectSettings } from '../start/project.ts';
import type { World } from '../start/world.ts';
import { SetupCancelled } from './prompts/prompt.ts';
import { openQuestionTerminal } from './prompts/terminal.ts';
import { runWizard } from './wizard.ts';

export type SetupEnd =
  | { readonly kind: 'done' }
  /** Not all of it; what was not done was said. */
  | { readonly kind: 'failed' }
  /** Not begun, or left by the person: nothing was saved. A sentence on why. */
  | { readonly kind: 'refused' | 'left'; readonly why: string };

/** What the command line says about it: where, and which hooks are off. */
export type WizardFlags = HookFlags & { readonly cwd?: string };

/**
 * Works whatever the settings files hold: it may be what mends them. The terminal is given back as it was. Throws
 * StartError where `--cwd` does not exist.
 */
export async function openWizard(flags: WizardFlags, world: World): Promise<SetupEnd> {
  const family = familyOfThisProcess();
  const inside = refuseInsideSession(family, 'codey setup');
  if (inside !== undefined) return refuse(inside);
  const { home } = world;
  if (home === undefined) return refuse('HOME is not set, so there is no place to keep your settings');
  if (!world.stdin.isTTY || !world.stdout.isTTY) {
    return refuse(
      'codey setup asks questions, so it needs a terminal; settings can also be written by hand in ~/.codey/settings.json',
    );
  }
  const projectRoot = await findRoot(flags.cwd, world);
  const loaded = await loadProjectSettings(projectRoot, undefined, world);
  const terminal = openQuestionTerminal(world);
  try {
    const done = await runWizard({ ask: terminal.ask, world, home, projectRoot, loaded, flags, family });
    return { kind: done ? 'done' : 'failed' };
  } catch (error) {
    if (!(error instanceof SetupCancelled)) throw error;
    return { kind: 'left', why: 'setup was left; nothing was saved' };
  } finally {
    terminal.close();
  }
}

function refuse(why: string): SetupEnd {
  return { kind: 'refused', why };
}
