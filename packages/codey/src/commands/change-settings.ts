// What a command changes in settings files: the ConfigChange hooks in force here are asked, and may have it taken back.
import { type SettingPath, type WriteResult, writeSetting } from '@codey/hooks';
import { type ChangedSettings, openProjectHooks, type SetupHooks } from '../setup/hooks.ts';
import { takeBackIfRefused } from '../setup/take-back-if-refused.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import { familyOfThisProcess } from '../start/family.ts';
import { type LeaveWatch, watchForLeaving } from '../start/leaving.ts';
import { loadProjectSettings } from '../start/project.ts';
import type { World } from '../start/world.ts';

export type SettingsScope = 'user' | 'project' | 'local';

export interface SettingChange {
  readonly scope: SettingsScope;
  readonly path: SettingPath;
  /** Undefined takes the setting away. */
  readonly value: unknown;
}

export type Changed =
  | WriteResult
  /** By a hook; the file is as it was, unless somebody else changed it meanwhile. */
  | {
      readonly kind: 'blocked';
      readonly file: string;
      readonly message: string;
      readonly exitCode: number;
    };

export async function tryToChange(
  { scope, path, value }: SettingChange,
  projectRoot: string,
  world: World,
): Promise<Changed> {
  return withChangeHooks(projectRoot, world, async (hooks) => {
    const place = { projectRoot, ...(world.home !== undefined && { home: world.home }) };
    const written = await writeSetting({ ...place, scope, path, value });
    if (written.kind !== 'written') return written;
    const { file } = written;
    const refusal = await takeBackIfRefused(written, sourceOf(scope), hooks);
    return refusal === undefined
      ? written
      : {
          kind: 'blocked',
          file,
          message: `${path.join('.')} was ${refusal.message}`,
          exitCode: exitCodeOf(hooks),
        };
  });
}

/** Throws StartError where it cannot be written, and where a hook refused it. */
export async function changeSetting(
  change: SettingChange,
  projectRoot: string,
  world: World,
): Promise<Exclude<Changed, { readonly kind: 'refused' | 'blocked' }>> {
  const changed = await tryToChange(change, projectRoot, world);
  if (changed.kind === 'refused') throw new StartError(changed.message, exitCodes.failed);
  if (changed.kind === 'blocked') throw new StartError(changed.message, changed.exitCode);
  return changed;
}

export interface ChangeHooks extends Pick<SetupHooks, 'askAboutChange'> {
  /** A signal came: what has not passed the hooks by now does not. */
  readonly forced: LeaveWatch['forced'];
}

/**
 * The hooks that are in force before anything is written: nothing that is saved now has a say in it. A signal meanwhile ends
 * them and not the program, which has to take back first what it wrote.
 */
export async function withChangeHooks<Result>(
  projectRoot: string,
  world: World,
  work: (hooks: ChangeHooks) => Promise<Result>,
): Promise<Result> {
  const leave = watchForLeaving({ interrupt: () => {}, say: world.notices.fail });
  try {
    const hooks = await openProjectHooks({
      projectRoot,
      loaded: await loadProjectSettings(projectRoot, undefined, world),
      flags: {},
      family: familyOfThisProcess(),
      world,
      events: ['ConfigChange'],
      signal: leave.signals.interrupted,
    });
    try {
      return await work({ askAboutChange: hooks.askAboutChange, forced: leave.forced });
    } finally {
      await hooks.close();
    }
  } finally {
    leave.stop();
  }
}

/** For what was refused. */
export function exitCodeOf({ forced }: Pick<ChangeHooks, 'forced'>): number {
  return forced()?.exitCode ?? exitCodes.failed;
}

export function sourceOf(scope: SettingsScope): ChangedSettings {
  return scope === 'user' ? 'user_settings' : 'project_settings';
}
