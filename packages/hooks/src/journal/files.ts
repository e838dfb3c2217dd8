// The part of the file system that journals, locks and logs use, passed in so that a full disk can be rehearsed.
import { constants } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { disk, promptDisk } from '../disk.ts';
import type { OpenFile } from '../open-file.ts';

/** The part of `node:fs/promises` that the journal needs; tests pass another one. */
export interface Files
  extends Pick<
    typeof promises,
    'stat' | 'realpath' | 'mkdir' | 'link' | 'rename' | 'unlink' | 'readdir' | 'readFile'
  > {
  open(path: string, flags: 'wx' | number, mode?: number): Promise<OpenFile>;
}

/** The real file system. */
export const diskFiles: Files = disk;

/** The same for a program without a screen, which has nothing better to do than to wait the microseconds of a write. */
export const promptDiskFiles: Files = promptDisk;

/** No link is followed in the last component, and a FIFO planted under the name does not hang the open. */
const careful = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file of ours for appending whole lines, readable so that a torn end can be seen; made with mode 0600 and
 * brought back to it. Throws what the file system throws, or an error that says the name is taken by something else.
 */
export async function openForAppend(files: Files, path: string): Promise<OpenFile> {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | careful;
  const handle = await openRegular(files, path, flags);
  try {
    const { mode } = await handle.stat();
    if ((mode & 0o077) !== 0) await handle.chmod(0o600);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens a file of ours for reading; undefined when there is none. Throws when there is one that cannot be read. */
export async function openForRead(files: Files, path: string): Promise<OpenFile | undefined> {
  try {
    return await openRegular(files, path, constants.O_RDONLY | careful);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Whether the file ends inside a line, as it does when its writer was killed in a write. */
export async function endsTorn(handle: OpenFile): Promise<boolean> {
  const size = await sizeInsideLine(handle);
  if (size === undefined) return false;
  // A long write of another process grows the file page by page: only an end that stays is torn.
  await sleep(5);
  return (await sizeInsideLine(handle)) === size;
}

async function sizeInsideLine(handle: OpenFile): Promise<number | undefined> {
  const { size } = await handle.stat();
  if (size === 0) return undefined;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last[0] === 0x0a ? undefined : size;
}

/** Why a file could not be used, as the end of a sentence. */
export function failureReason(error: unknown): string {
  const code = errorCode(error);
  return (
    (code === undefined ? undefined : sentences[code]) ??
    (error instanceof Error ? error.message : String(error))
  );
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const sentences: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ELOOP: 'a symbolic link stands in its place',
  ENOTDIR: 'a file stands where a directory is needed',
  EISDIR: 'a directory stands in its place',
  ENXIO: 'something that is not a regular file stands in its place',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
};

async function openRegular(files: Files, path: string, flags: number): Promise<OpenFile> {
  const handle = await files.open(path, flags, 0o600);
  const stats = await handle.stat().catch(() => undefined);
  if (stats?.isFile() === true) return handle;
  await handle.close();
  throw new Error('something that is not a regular file stands in its place');
}
