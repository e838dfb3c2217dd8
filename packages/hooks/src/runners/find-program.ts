// Where a program name leads to, the way starting it would look.
import { statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/** Absolute path of the first file `name` means; null if there is none. Says nothing about whether it may be run. */
export function findProgram(
  name: string,
  place: { readonly cwd: string; readonly path: string },
  present: FilePresence = isFile,
): string | null {
  const candidates = name.includes('/')
    ? [resolve(place.cwd, name)]
    : place.path.split(delimiter).map((directory) => resolve(place.cwd, directory, name));
  return candidates.find(present) ?? null;
}

/** Whether there is a file of this absolute path. */
export type FilePresence = (path: string) => boolean;

/** False also where the way to it may not be walked. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/**
 * As `isFile`, for many questions at one moment: ten thousand hooks name a handful of programs, each of which is looked
 * for in every folder of PATH.
 */
export function rememberFiles(): FilePresence {
  const answers = new Map<string, boolean>();
  return (path) => {
    const present = answers.get(path) ?? isFile(path);
    answers.set(path, present);
    return present;
  };
}
