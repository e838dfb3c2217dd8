// Notices that settings files were edited during a session, and offers what they say now.
import {
  checkStart,
  formatProblem,
  type HookFlags,
  type LoadedSettings,
  loadSettings,
  type LocationOptions,
  settingsLocations,
} from '@codey/hooks';
import { diskWatchFiles, glance, type WatchFiles } from '../watch/look.ts';
import { type SettingsChange, settingsChanges } from './changes.ts';

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
   * Undefined while the files say what is in force, and for an edit that was offered already: a no holds until the next
   * edit. Costs one look at each place where settings may lie, and reads files only after one has changed.
   */
  look(): Promise<ReloadOffer | undefined>;
  /** From now on this is in force, be it an accepted offer or what the session itself has saved. */
  use(loaded: LoadedSettings): void;
}

export interface ReloadOptions {
  readonly locations: LocationOptions;
  /** What is in force. */
  readonly loaded: LoadedSettings;
  readonly flags?: HookFlags;
  readonly files?: WatchFiles;
}

export async function createSettingsReload(options: ReloadOptions): Promise<SettingsReload> {
  const { locations, flags = {}, files = diskWatchFiles } = options;
  const places = settingsLocations(locations).map(({ file }) => file);
  let inForce = options.loaded;
  let seen = await stamps();

  async function stamps(): Promise<string> {
    return (await Promise.all(places.map(async (file) => (await glance(file, files)).stamp))).join('\n');
  }

  return {
    async look() {
      // Taken before reading, so that an edit in between is seen the next time.
      const now = await stamps();
      if (now === seen) return undefined;
      seen = now;
      const loaded = await loadSettings(locations);
      const refusal = checkStart(loaded, flags);
      if (refusal !== undefined) {
        const problems = refusal.problems.map((problem) => `  ${formatProblem(problem)}`);
        return { kind: 'broken', text: [brokenEdit, ...problems].join('\n') };
      }
      const changes = settingsChanges(inForce, loaded);
      return changes.length === 0 ? undefined : { kind: 'changed', loaded, changes };
    },
    use(loaded) {
      inForce = loaded;
    },
  };
}

const brokenEdit =
  'The settings were edited and cannot be used as they are; what was in force stays in force:';
