// Which directory is "the project", decided once at start.
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { localDisk, type ReadPort } from './file-system.ts';
import { settingsDirectories } from './scopes.ts';

export interface ProjectRootOptions {
  /** Where the program was started, or `--cwd`. */
  readonly start: string;
  /** The user's home directory; absent where there is none. */
  readonly home?: string;
  readonly fs?: Pick<ReadPort, 'realpath' | 'stat'>;
}

/**
 * The nearest ancestor with `.git`, else the nearest with `.codey` or `.koder`, else the start itself, as a real path.
 * The home directory and everything above it are never a project unless the program was started right there: the
 * `.codey` of a home holds the user's settings, not a project's. Throws if the start directory does not exist.
 */
export async function findProjectRoot(options: ProjectRootOptions): Promise<string> {
  const fs = options.fs ?? localDisk;
  const start = await fs.realpath(options.start);
  const home = options.home === undefined ? undefined : await realPathOr(options.home, fs);
  const candidates = ancestors(start).filter((directory) => directory === start || !holds(directory, home));
  return (
    (await firstWith(candidates, (directory) => exists(join(directory, '.git'), fs))) ??
    (await firstWith(candidates, (directory) => hasSettingsDirectory(directory, fs))) ??
    start
  );
}

/** From the directory itself up to the root of the file system. */
function ancestors(directory: string): readonly string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...ancestors(parent)];
}

/** Whether `home` is the directory or lies below it. */
function holds(directory: string, home: string | undefined): boolean {
  if (home === undefined) return false;
  const way = relative(directory, home);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

async function firstWith(
  directories: readonly string[],
  test: (directory: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const directory of directories) if (await test(directory)) return directory;
  return undefined;
}

/** `.git` is a directory in a clone and a file in a worktree or submodule. */
async function exists(file: string, fs: Pick<ReadPort, 'stat'>): Promise<boolean> {
  return fs.stat(file).then(
    () => true,
    () => false,
  );
}

async function hasSettingsDirectory(directory: string, fs: Pick<ReadPort, 'stat'>): Promise<boolean> {
  for (const name of settingsDirectories) {
    const found = await fs.stat(join(directory, name)).then(
      (facts) => facts.isDirectory(),
      () => false,
    );
    if (found) return true;
  }
  return false;
}

async function realPathOr(directory: string, fs: Pick<ReadPort, 'realpath'>): Promise<string> {
  return fs.realpath(directory).catch(() => resolve(directory));
}
