// Compares generated files with the ones on disk, and puts them there.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface GeneratedFile {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface Drift {
  readonly path: string;
  readonly what: 'is missing' | 'differs from its sources' | 'is not generated any more';
}

/** This folder holds generated files only, so anything else in it is a leftover. */
const ownedFolder = 'packages/hooks/schema';

/** In the order of their paths; empty when everything is current. */
export async function findDrift(root: string, files: readonly GeneratedFile[]): Promise<Drift[]> {
  const drift: Drift[] = [];
  for (const { path, text } of files) {
    const found = await readIfThere(join(root, path));
    if (found === undefined) drift.push({ path, what: 'is missing' });
    else if (found !== text) drift.push({ path, what: 'differs from its sources' });
  }
  for (const path of await findStale(root, files)) drift.push({ path, what: 'is not generated any more' });
  return drift.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Leaves a file that is current untouched, so that nothing watching it wakes up. */
export async function writeFiles(root: string, files: readonly GeneratedFile[]): Promise<void> {
  for (const { path, text } of files) {
    const target = join(root, path);
    if ((await readIfThere(target)) === text) continue;
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
}

export async function removeStale(root: string, files: readonly GeneratedFile[]): Promise<void> {
  for (const path of await findStale(root, files)) await rm(join(root, path));
}

async function findStale(root: string, files: readonly GeneratedFile[]): Promise<string[]> {
  const generated = new Set(files.map((file) => file.path));
  const names = await readdir(join(root, ownedFolder)).catch(nothingThere);
  return (names ?? []).map((name) => `${ownedFolder}/${name}`).filter((path) => !generated.has(path));
}

function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(nothingThere);
}

function nothingThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
