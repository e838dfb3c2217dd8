// The setup wizard in the middle of a stay on the screen, which was given back for it.
import path from 'node:path';
import { findProjectRoot, refuseInsideSession, resolveSettings } from '@codey/hooks';
import type { RunCommandLine } from '../../cli/command-line.ts';
import { readKeys } from '../../setup/key-file.ts';
import { SetupCancelled } from '../../setup/prompts/prompt.ts';
import { openQuestionTerminal } from '../../setup/prompts/terminal.ts';
import { runWizard } from '../../setup/wizard.ts';
import { familyOfThisProcess } from '../../start/family.ts';
import { chooseModel } from '../../start/model.ts';
import { loadProjectSettings } from '../../start/project.ts';
import type { World } from '../../start/world.ts';

export type SetupEnd =
  | { readonly kind: 'done' }
  /** Left, or not begun; a sentence on why. */
  | { readonly kind: 'not done'; readonly why: string };

export async function runSetup({ flags }: RunCommandLine, world: World): Promise<SetupEnd> {
  const family = familyOfThisProcess();
  const refused = refuseInsideSession(family, 'setup');
  if (refused !== undefined) return { kind: 'not done', why: refused };
  const { home } = world;
  if (home === undefined)
    return { kind: 'not done', why: 'HOME is not set, so there is no place to keep your settings' };
  const projectRoot = await findProjectRoot({ start: path.resolve(world.cwd, flags.cwd ?? '.'), home });
  const loaded = await loadProjectSettings(projectRoot, undefined, world);
  const terminal = openQuestionTerminal(world);
  try {
    const done = await runWizard({ terminal, world, home, projectRoot, loaded, family });
    return done ? { kind: 'done' } : { kind: 'not done', why: 'not everything could be saved' };
  } catch (error) {
    if (!(error instanceof SetupCancelled)) throw error;
    return { kind: 'not done', why: 'setup was left; nothing was saved' };
  } finally {
    terminal.close();
  }
}

/** Nothing says which model, so no session can open until something does. */
export async function lacksModel({ flags }: RunCommandLine, world: World): Promise<boolean> {
  if (flags.model !== undefined) return false;
  const { home } = world;
  const start = path.resolve(world.cwd, flags.cwd ?? '.');
  const root = await findProjectRoot({ start, ...(home !== undefined && { home }) });
  const loaded = await loadProjectSettings(root, flags.settings, world);
  const settings = resolveSettings(loaded, { agreed: () => false });
  const environment = { ...(await readKeys(home)), ...world.environment, ...settings.env };
  return chooseModel(settings, environment) === undefined;
}
