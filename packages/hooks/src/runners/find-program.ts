// Where a program name leads to, the way starting it would look.
import { statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/** Absolute path of the first file `name` means; null if there is none. Says nothing about whether it may be run. */
export function findProgram(
  name: string,
  place: { readonly cwd: string; readonly path: string },
): string | null {
  const candidates = name.includes('/')
    ? [resolve(place.cwd, name)]
    : place.path.split(delimiter).map((directory) => resolve(place.cwd, directory, name));
  return candidates.find(isFile) ?? null;
}

/** False also where the way to it may not be walked. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
