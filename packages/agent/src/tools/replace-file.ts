// Puts new content in a file's place at once: a reader sees the old bytes or the new ones, never half of either.
import type { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, type Stats } from 'node:fs';
import { access, type FileHandle, mkdir, open, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes through a temporary file in the same directory. Keeps mode and owner of an existing file and makes missing
 * directories. With `expected`, writes only if the file still holds these bytes.
 * Throws the system's error; nothing is left behind then.
 */
export async function replaceFile(
  path: string,
  content: string,
  expected?: Buffer,
): Promise<'written' | 'changed'> {
  const existing = await statOrNull(path);
  // A read-only file in a writable directory could be renamed over; its mode says that nobody should.
  if (existing !== null) await access(path, constants.W_OK);
  else await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.codey-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeTemporary(temporary, content, existing);
    // Nothing of this program can run between the comparison and the rename.
    if (expected !== undefined && !holds(path, expected)) {
      await unlink(temporary);
      return 'changed';
    }
    renameSync(temporary, path);
    return 'written';
  } catch (error) {
    await unlink(temporary).catch(() => {});
    if (existing === null || !onlyInPlace.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return await writeInPlace(path, content, expected);
  }
}

/** A directory one may not write to, an owner that cannot be kept, a file that is a mount of its own. */
const onlyInPlace = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV']);

async function writeTemporary(path: string, content: string, existing: Stats | null): Promise<void> {
  const handle = await open(path, 'wx', existing === null ? 0o666 : 0o600);
  try {
    await handle.writeFile(content);
    if (existing !== null) await keepOwnerAndMode(handle, existing);
  } finally {
    await handle.close();
  }
}

async function keepOwnerAndMode(handle: FileHandle, existing: Stats): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid !== existing.uid || gid !== existing.gid) await handle.chown(existing.uid, existing.gid);
  // After the owner, since a change of owner takes set-id bits away.
  await handle.chmod(existing.mode & 0o7777);
}

async function writeInPlace(
  path: string,
  content: string,
  expected?: Buffer,
): Promise<'written' | 'changed'> {
  if (expected !== undefined && !holds(path, expected)) return 'changed';
  const handle = await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    await handle.truncate(0);
    await handle.writeFile(content);
    return 'written';
  } finally {
    await handle.close();
  }
}

function holds(path: string, expected: Buffer): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return false;
  }
  try {
    const { size } = fstatSync(descriptor);
    return size === expected.length && readFileSync(descriptor).equals(expected);
  } finally {
    closeSync(descriptor);
  }
}

async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
