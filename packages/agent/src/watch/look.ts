// What stands under a watched path at one moment, and whether that is what stood there before.
import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import * as promises from 'node:fs/promises';

export type WatchFiles = Pick<typeof promises, 'lstat' | 'stat' | 'readlink' | 'open'>;

export const diskWatchFiles: WatchFiles = promises;

/** Larger files are known by their size and times alone: reading them would be felt at every turn. */
export const hashLimit = 1024 * 1024;

export interface Sight {
  /** Changes whenever the system says that something about the file may have changed. */
  readonly stamp: string;
  /** Of a regular file up to `hashLimit`: what is in it. Absent where only the stamp can tell. */
  readonly content?: string;
}

/** What is known without opening anything. Reading is put off until somebody needs it. */
export interface Glance {
  readonly stamp: string;
  /** Only regular files are ever opened: a fifo would wait for a writer. */
  readonly readable: boolean;
}

/** Never rejects: what is not there, or may not be looked at, is a sight as well. */
export async function glance(path: string, files: WatchFiles): Promise<Glance> {
  try {
    const facts = await files.lstat(path, { bigint: true });
    if (!facts.isSymbolicLink()) return glanceOf('', facts);
    const target = await files.readlink(path);
    const behind = await files.stat(path, { bigint: true }).catch(() => undefined);
    return behind === undefined
      ? { stamp: `link to ${target}, which is missing`, readable: false }
      : glanceOf(`link to ${target}: `, behind);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    // A parent that is no directory and a name that is not there are the same to whoever watches: nothing.
    return { stamp: code === 'ENOTDIR' ? 'ENOENT' : code, readable: false };
  }
}

/** The same with the content, where there is content to tell by. */
export async function look(path: string, files: WatchFiles): Promise<Sight> {
  const first = await glance(path, files);
  return complete(path, first, files);
}

export async function complete(path: string, { stamp, readable }: Glance, files: WatchFiles): Promise<Sight> {
  const content = readable ? await hashOf(path, files) : undefined;
  return content === undefined ? { stamp } : { stamp, content };
}

/**
 * A file that was only touched has not changed. Where one of the two contents is unknown the stamp decides, so that a
 * file growing past the limit counts as changed.
 */
export function hasChanged(before: Sight, now: Sight): boolean {
  if (before.content !== undefined && now.content !== undefined) return before.content !== now.content;
  return before.stamp !== now.stamp;
}

function glanceOf(prefix: string, facts: BigIntStats): Glance {
  const { dev, ino, size, mtimeNs, ctimeNs } = facts;
  const readable = facts.isFile() && size <= hashLimit;
  if (facts.isFile() || facts.isDirectory())
    return { stamp: `${prefix}${kindOf(facts)} ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`, readable };
  // The times of a device or a pipe move with its use; only what it is can be watched.
  return { stamp: `${prefix}${kindOf(facts)} ${dev} ${ino}`, readable };
}

function kindOf(facts: BigIntStats): string {
  if (facts.isFile()) return 'file';
  if (facts.isDirectory()) return 'directory';
  if (facts.isFIFO()) return 'fifo';
  return facts.isSocket() ? 'socket' : 'device';
}

/** Undefined when it cannot be read, or turned into something else or something larger since it was glanced at. */
async function hashOf(path: string, files: WatchFiles): Promise<string | undefined> {
  try {
    const handle = await files.open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const facts = await handle.stat();
      if (!facts.isFile() || facts.size > hashLimit) return undefined;
      const buffer = Buffer.alloc(hashLimit + 1);
      let length = 0;
      for (;;) {
        const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
        length += bytesRead;
        if (bytesRead === 0) break;
        if (length > hashLimit) return undefined;
      }
      return createHash('sha256').update(buffer.subarray(0, length)).digest('base64');
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
