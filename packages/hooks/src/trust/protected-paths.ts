// What an agent must not change without being asked, whatever mode or hook allows it.
import { join } from 'node:path';
import { createLinkResolver, isInside } from '../condition/path.ts';
import { type LocationOptions, settingsDirectories, settingsLocations } from '../config/scopes.ts';
import { rememberFiles } from '../runners/find-program.ts';
import { readCommand } from './command-reading.ts';
import { namedPaths, type NamingPlace } from './named-paths.ts';
import { commandOf, directoryVariables, type Surroundings } from './offer.ts';
import type { AnyHook } from './trust.ts';
import { promptFiles } from '../prompt-files.ts';

const { lstat } = promptFiles;

export interface ProtectedOptions {
  readonly locations: LocationOptions;
  readonly storeFile: string;
  /** Files and folders covered by agreements. */
  readonly covered: readonly string[];
  readonly hooks: readonly AnyHook[];
  readonly surroundings: Surroundings;
  /** Where the host reads agents and skills from; absolute. */
  readonly definitionFolders: readonly string[];
}

/**
 * Absolute paths of files and of folders with everything in them, under their own names and without links; also such
 * as do not exist, since making them would count. Never rejects.
 */
export async function protectedPaths(options: ProtectedOptions): Promise<readonly string[]> {
  const { locations, storeFile, covered, hooks, definitionFolders } = options;
  const bases = [locations.projectRoot, ...(locations.home === undefined ? [] : [locations.home])];
  const surroundings = { ...options.surroundings, present: rememberFiles() };
  const scripts = await Promise.all(hooks.map((hook) => ownScripts(hook, bases, surroundings)));
  const named = [
    ...settingsLocations(locations).map(({ file }) => file),
    ...bases.flatMap((base) => settingsDirectories.map((directory) => join(base, directory, 'hooks'))),
    storeFile,
    ...hooks.filter(({ source }) => source.file !== '').map(({ source }) => source.file),
    ...covered,
    ...scripts.flat(),
    ...definitionFolders,
  ];
  const resolveLinks = createLinkResolver();
  const real = await Promise.all(named.map((path) => resolveLinks(path).catch(() => path)));
  return [...new Set([...named, ...real])];
}

/** Scripts of the user's own hooks, where they lie in the project or the home directory. */
async function ownScripts(
  hook: AnyHook,
  bases: readonly string[],
  surroundings: Surroundings & Required<Pick<NamingPlace, 'present'>>,
): Promise<readonly string[]> {
  const text = commandOf(hook);
  if (hook.source.fromRepository || text === undefined) return [];
  const variables = directoryVariables(hook, surroundings.root, surroundings);
  const reading = await readCommand(text, Object.keys(variables));
  const { root, path } = surroundings;
  const { paths } = namedPaths(
    reading,
    { cwd: root, path, variables, present: surroundings.present },
    'code',
  );
  const inReach = paths.filter((path) => isInside(path, bases));
  const files = await Promise.all(
    inReach.map((path) =>
      lstat(path).then(
        (found) => !found.isDirectory(),
        () => false,
      ),
    ),
  );
  return inReach.filter((_, index) => files[index]);
}
