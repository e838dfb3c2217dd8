// Which settings files there can be, and which scope each one speaks for.
import { join, resolve } from 'node:path';
import type { ReadPort } from './file-system.ts';
import type { Scope } from './hook.ts';

/** Both names of a settings directory; the first one wins where only one can. */
export const settingsDirectories = ['.codey', '.koder'] as const;

/** Scopes that have a settings file of their own. */
export type FileScope = Extract<Scope, 'managed' | 'settings' | 'user' | 'project' | 'local'>;

export interface SettingsLocation {
  readonly scope: FileScope;
  /** Absolute path. */
  readonly file: string;
  /** The machine-wide managed file, which a user cannot edit. */
  readonly system: boolean;
}

/** Where settings files are looked for. Nothing is taken from the environment. */
export interface LocationOptions {
  /** As `findProjectRoot` gave it. */
  readonly projectRoot: string;
  /** Absent where there is no home directory: then there are no user and no per-user managed settings. */
  readonly home?: string;
  /** Path of the machine-wide managed file. A host passes a constant, never something from the environment. */
  readonly systemManagedFile?: string;
  /** The file named by `--settings`, relative to the working directory of the process. */
  readonly settingsFile?: string;
}

/** In scope order, which is both the order in which hooks run and the order of trust. */
export function settingsLocations(options: LocationOptions): readonly SettingsLocation[] {
  const { projectRoot, home, systemManagedFile, settingsFile } = options;
  const below = (root: string) => settingsDirectories.map((directory) => join(root, directory));
  const own = home === undefined ? [] : below(home);
  const shared = below(projectRoot);
  const both = (scope: FileScope, folders: readonly string[], name: string): SettingsLocation[] =>
    folders.map((folder) => ({ scope, file: `${folder}/${name}`, system: false }));
  return [
    ...(systemManagedFile === undefined
      ? []
      : [{ scope: 'managed', file: resolve(systemManagedFile), system: true } as const]),
    ...both('managed', own, 'managed-settings.json'),
    ...(settingsFile === undefined
      ? []
      : [{ scope: 'settings', file: resolve(settingsFile), system: false } as const]),
    ...both('user', own, 'settings.json'),
    ...both('project', shared, 'settings.json'),
    ...both('local', shared, 'settings.local.json'),
  ];
}

/** Drops every location whose real path an earlier, more trusted one already reached. */
export async function distinctLocations(
  locations: readonly SettingsLocation[],
  fs: Pick<ReadPort, 'realpath'>,
): Promise<readonly SettingsLocation[]> {
  const paths = await Promise.all(locations.map(({ file }) => fs.realpath(file).catch(() => file)));
  return locations.filter((_, index) => paths.indexOf(paths[index] ?? '') === index);
}

/** Project and local files come with the repository; what they do needs the user's agreement. */
export function isFromRepository(scope: Scope): boolean {
  return scope === 'project' || scope === 'local';
}
