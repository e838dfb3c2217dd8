// Turns what the system says about a file into a sentence a model can act on.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { showName } from './show-name.ts';
import { suggest } from '@codey/hooks';

/** @param path as the model wrote it */
export function explainFileError(error: unknown, path: string): string {
  const shown = showName(path);
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return `${shown} does not exist.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${shown} cannot be reached: a part of it is a file, not a directory.`;
    case 'EISDIR':
      return `${shown} is a directory.`;
    case 'EACCES':
    case 'EPERM':
      return `No permission for ${shown}. Ask the user to change it if it is needed.`;
    case 'ELOOP':
      return `${shown} is a symbolic link that leads back to itself.`;
    case 'ENAMETOOLONG':
      return `${cutPath(shown)} is too long for a file name.`;
    case 'EROFS':
      return `${shown} is on a read-only file system.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no space left for ${shown}.`;
    case 'ERR_INVALID_ARG_VALUE':
      return `${shown} is no path: it holds a NUL character.`;
    default:
      return `${shown}: ${message}`;
  }
}

/** What to try where a file is missing: a neighbour of similar name, or the part of the path that exists. */
export async function hintForMissing(path: string, absolute: string): Promise<string> {
  if (path.startsWith('~')) return ' `~` is not expanded; write the path out.';
  let directory = dirname(absolute);
  let missing = basename(absolute);
  for (;;) {
    const names = await readdir(directory).catch(() => null);
    if (names === null) {
      const parent = dirname(directory);
      if (parent === directory) return '';
      missing = basename(directory);
      directory = parent;
      continue;
    }
    const similar = suggest(missing, names);
    if (similar !== undefined) return ` Did you mean ${showName(join(directory, similar))}?`;
    return directory === dirname(absolute)
      ? ''
      : ` ${showName(directory)} exists and has no ${showName(missing)}.`;
  }
}

function cutPath(path: string): string {
  return path.length > 80 ? `${path.slice(0, 80)}…` : path;
}
