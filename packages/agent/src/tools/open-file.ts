// Opens regular files only: a pipe or device would hang or do something, and a directory has nothing to read.
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { explainFileError, hintForMissing } from './file-errors.ts';
import type { ResolvedPath } from './files.ts';
import { showName } from './show-name.ts';

export type OpenedFile =
  | { readonly kind: 'file'; readonly handle: FileHandle; readonly size: number }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * The caller closes the handle. Never waits for the other end of a pipe.
 * @param path as the model wrote it, for the message
 */
export async function openFile(path: string, resolved: ResolvedPath): Promise<OpenedFile> {
  try {
    const before = await stat(resolved.real);
    if (!before.isFile()) return { kind: 'refused', message: notAFile(path, before) };
    const handle = await open(resolved.real, readWithoutWaiting);
    // What stands at the path may have changed between the look and the opening.
    const found = await handle.stat();
    if (found.isFile()) return { kind: 'file', handle, size: found.size };
    await handle.close();
    return { kind: 'refused', message: notAFile(path, found) };
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const hint = missing ? await hintForMissing(path, resolved.absolute) : '';
    return { kind: 'refused', message: explainFileError(error, path) + hint };
  }
}

/** Text of a small regular file; null where there is none that can be read or it is larger than `cap` bytes. */
export async function readSmallFile(path: string, cap: number): Promise<string | null> {
  try {
    const before = await stat(path);
    if (!before.isFile() || before.size > cap) return null;
    const handle = await open(path, readWithoutWaiting);
    try {
      return (await handle.stat()).isFile() ? await handle.readFile('utf8') : null;
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}

const readWithoutWaiting = constants.O_RDONLY | constants.O_NONBLOCK;

interface Kinds {
  isDirectory(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

export function notAFile(path: string, found: Kinds): string {
  const shown = showName(path);
  if (found.isDirectory()) return `${shown} is a directory; list_directory shows what is in it.`;
  const what = found.isFIFO() ? 'a named pipe' : found.isSocket() ? 'a socket' : 'a device';
  return `${shown} is ${what}, not a regular file.`;
}
