// Goes through the files below a directory as a search should see them: ignored, generated and linked ones left out.
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { type IgnoreFile, parseIgnoreFile } from './ignore-rules.ts';
import { readSmallFile } from './open-file.ts';
import { count } from './output.ts';

export interface FoundFile {
  /** Relative to the start, with `/`. */
  readonly path: string;
  readonly isLink: boolean;
}

export interface Walk {
  /** The files of one directory after another, in order of name. Throws the signal's reason. */
  files(): AsyncGenerator<readonly FoundFile[]>;
  /** Sentences on what could not be seen; asked after the walk. */
  notes(): readonly string[];
}

/** Symbolic links are named but never followed, so a walk neither leaves its directory nor runs in a circle. */
export function createWalk(start: string, signal: AbortSignal): Walk {
  let seen = 0;
  let unreadable = 0;

  async function* files(): AsyncGenerator<readonly FoundFile[]> {
    const pending: Place[] = [{ path: '', rules: await rulesAbove(start) }];
    for (let place = pending.pop(); place !== undefined && seen < mostEntries; place = pending.pop()) {
      signal.throwIfAborted();
      const entries = await readdir(join(start, place.path), { withFileTypes: true }).catch(() => null);
      if (entries === null) {
        unreadable += 1;
        continue;
      }
      seen += entries.length;
      const { found, directories } = await sort(start, place, entries);
      pending.push(...directories.reverse());
      if (found.length > 0) yield found;
    }
  }

  return {
    files,
    notes: () => [
      ...(unreadable > 0 ? [`${count(unreadable, 'directory', 'directories')} could not be read.`] : []),
      ...(seen >= mostEntries
        ? [`Stopped after ${count(mostEntries, 'entry', 'entries')}; search in a narrower path.`]
        : []),
    ],
  };
}

/** Bounds the time and memory of a search that was started in the wrong place. */
const mostEntries = 200_000;
/** Never searched unless the search starts inside. */
const neverEntered = new Set(['.git', 'node_modules']);
const largestIgnoreFile = 1024 * 1024;

interface Place {
  readonly path: string;
  /** Outermost first. */
  readonly rules: readonly IgnoreFile[];
}

async function sort(start: string, place: Place, entries: readonly Dirent[]) {
  const below = place.path === '' ? 0 : place.path.length + 1;
  const own = entries.some((entry) => entry.name === '.gitignore')
    ? await loadIgnoreFile(join(start, place.path), (path) => path.slice(below))
    : null;
  const rules = own === null ? place.rules : [...place.rules, own];
  const found: FoundFile[] = [];
  const directories: Place[] = [];
  for (const entry of entries.toSorted(byName)) {
    const path = place.path === '' ? entry.name : `${place.path}/${entry.name}`;
    const isDirectory = entry.isDirectory();
    if (isDirectory && neverEntered.has(entry.name)) continue;
    if (isIgnored(path, isDirectory, rules)) continue;
    if (isDirectory) directories.push({ path, rules });
    else if (entry.isFile() || entry.isSymbolicLink()) found.push({ path, isLink: entry.isSymbolicLink() });
  }
  return { found, directories };
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

/** The innermost ignore file that has a rule for it decides. */
function isIgnored(path: string, isDirectory: boolean, rules: readonly IgnoreFile[]): boolean {
  for (const rule of rules.toReversed()) {
    const said = rule.ignores(path, isDirectory);
    if (said !== undefined) return said;
  }
  return false;
}

/** The ignore files between the start and the root of its repository; none where there is no repository. */
async function rulesAbove(start: string): Promise<readonly IgnoreFile[]> {
  const above: IgnoreFile[] = [];
  for (let directory = start; !(await isRepositoryRoot(directory)); ) {
    const parent = dirname(directory);
    if (parent === directory) return [];
    directory = parent;
    const way = relative(directory, start).replaceAll(sep, '/');
    const file = await loadIgnoreFile(directory, (path) => `${way}/${path}`);
    if (file !== null) above.unshift(file);
  }
  return above;
}

async function isRepositoryRoot(directory: string): Promise<boolean> {
  return lstat(join(directory, '.git')).then(
    () => true,
    () => false,
  );
}

async function loadIgnoreFile(
  directory: string,
  toOwn: (path: string) => string,
): Promise<IgnoreFile | null> {
  const text = await readSmallFile(join(directory, '.gitignore'), largestIgnoreFile);
  return text === null ? null : parseIgnoreFile(text, toOwn);
}
