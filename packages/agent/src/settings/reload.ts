// Notices that settings files were edited during a session, and offers what they say now.
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
import { diskWatchFiles, glance, type WatchFiles } from '../watch/look.ts';
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
  readonly files?: WatchFiles;
}

export function createSettingsReload(options: ReloadOptions): SettingsReload {
  const { locations, flags = {}, files = { ...diskWatchFiles, ...promptFiles } } = options;
  const places = settingsLocations(locations).map(({ file }) => file);
  let inForce = options.loaded;
  let declined: readonly LoadedSettings[] = [];
  /** The stamps at which there was nothing to offer. None at first: files may have changed since they were loaded. */
  let settled: string | undefined;

  async function stamps(): Promise<string> {
    return (await Promise.all(places.map(async (file) => (await glance(file, files)).stamp))).join('\n');
  }

  return {
    async look() {
      // Taken before reading, so that an edit in between is seen the next time.
      const now = await stamps();
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

const brokenEdit =
  'The settings were edited and cannot be used as they are; what was in force stays in force:';
