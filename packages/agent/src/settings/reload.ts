// Notices that settings files were edited during a session, and offers what they say now.
import { lstatSync } from 'node:fs';
import {
  checkStart,
  formatProblem,
  type HookFlags,
  type LoadedSettings,
  loadSettings,
  type LocationOptions,
  promptFiles,
  settingsLocations,
} from '@codey/hooks';
import { diskWatchFiles, type Glance, glance, type WatchFiles } from '../watch/look.ts';
import { adoptValue, type SettingsChange, settingsChanges } from './changes.ts';

export type ReloadOffer =
  /** Nothing of it counts until the user said yes and the host has put `loaded` in force and told `use`. */
  | {
      readonly kind: 'changed';
      readonly loaded: LoadedSettings;
      readonly changes: readonly SettingsChange[];
    }
  /** The files do not load; what is in force stays. `text` names every problem. */
  | { readonly kind: 'broken'; readonly text: string };

export interface SettingsReload {
  /**
   * Undefined while the files say what is in force or what was declined. An offer that got no answer is made again, broken
   * files are told once for each edit. Costs one look at each place where settings may lie; reads files only the first time
   * and after one has changed.
   */
  look(): Promise<ReloadOffer | undefined>;
  /** From now on this is in force. */
  use(loaded: LoadedSettings): void;
  /** A no: the same content is not offered again, however often it is written. */
  decline(loaded: LoadedSettings): void;
  /** The session itself saved this key of this file: its value is in force, and nothing else that stands there. */
  saved(file: string, key: string): Promise<void>;
}

export interface ReloadOptions {
  readonly locations: LocationOptions;
  /** What is in force. */
  readonly loaded: LoadedSettings;
  readonly flags?: HookFlags;
  /** What `stampSettings` gave before `loaded` was read: while that is so, nothing has been edited. */
  readonly stamp?: string;
  readonly files?: WatchFiles;
}

export function createSettingsReload(options: ReloadOptions): SettingsReload {
  const { locations, flags = {}, files = promptly } = options;
  let inForce = options.loaded;
  let declined: readonly LoadedSettings[] = [];
  /** The stamps at which there was nothing to offer. */
  let settled = options.stamp;

  return {
    async look() {
      // Taken before reading, so that an edit in between is seen the next time.
      const now = stampOf(await glances(locations, files));
      if (now === settled) return undefined;
      const loaded = await loadSettings(locations);
      const refusal = checkStart(loaded, flags);
      if (refusal !== undefined) {
        settled = now;
        const problems = refusal.problems.map((problem) => `  ${formatProblem(problem)}`);
        return { kind: 'broken', text: [brokenEdit, ...problems].join('\n') };
      }
      const changes = settingsChanges(inForce, loaded);
      if (changes.length > 0 && !declined.some((one) => settingsChanges(one, loaded).length === 0))
        return { kind: 'changed', loaded, changes };
      settled = now;
      return undefined;
    },
    use(loaded) {
      inForce = loaded;
    },
    decline(loaded) {
      declined = [...declined, loaded];
    },
    async saved(file, key) {
      inForce = adoptValue(inForce, await loadSettings(locations), file, key);
    },
  };
}

/**
 * Changes whenever a settings file does. Undefined where one was written so shortly before that the next edit may bear the
 * same stamp.
 */
export async function stampSettings(
  locations: LocationOptions,
  files: WatchFiles = promptly,
): Promise<string | undefined> {
  const seen = await glances(locations, files);
  return seen.some(({ fresh }) => fresh) ? undefined : stampOf(seen);
}

const promptly: WatchFiles = {
  ...diskWatchFiles,
  ...promptFiles,
  // Most of these files do not exist, and an exception takes ten times as long as the look.
  lstat: async (path, options) => lstatSync(path, { ...options, throwIfNoEntry: false }),
};

function glances(locations: LocationOptions, files: WatchFiles): Promise<readonly Glance[]> {
  return Promise.all(settingsLocations(locations).map(({ file }) => glance(file, files)));
}

function stampOf(seen: readonly Glance[]): string {
  return seen.map(({ stamp }) => stamp).join('\n');
}

const brokenEdit =
  'The settings were edited and cannot be used as they are; what was in force stays in force:';
