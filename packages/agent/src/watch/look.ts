// What stands under a watched path at one moment, and whether that is what stood there before.
import { createHash } from 'node:crypto';
import { type BigIntStats, constants, lstat, readlink, stat } from 'node:fs';
import { promisify } from 'node:util';
import { type OpenFile, openFile } from '@codey/hooks';

export interface WatchFiles {
  /** Undefined, or an error as of `node:fs`, where nothing is. */
  lstat(path: string, options: { readonly bigint: true }): Promise<BigIntStats | undefined>;
  stat(path: string, options: { readonly bigint: true }): Promise<BigIntStats>;
  readlink(path: string): Promise<string>;
  open(path: string, flags: number): Promise<OpenFile>;
  /** The clock that files are stamped by, in milliseconds since 1970. */
  readonly time: () => number;
}

export const diskWatchFiles: WatchFiles = {
  lstat: promisify(lstat),
  stat: promisify(stat),
  readlink: promisify(readlink),
  open: openFile,
  time: Date.now,
};

/** Larger files are known by their size and times alone: reading them would be felt at every turn. */
export const hashLimit = 1024 * 1024;

export interface Sight {
  /** Changes whenever the system says that something about the file may have changed. */
  readonly stamp: string;
  /** Of a regular file up to `hashLimit`: what is in it. Absent where only the stamp can tell. */
  readonly content?: string;
  /** It was written so shortly before that the next change may bear the same stamp. */
  readonly fresh: boolean;
}

/** What is known without opening anything. Reading is put off until somebody needs it. */
export interface Glance {
  readonly stamp: string;
  /** Only regular files are ever opened: a fifo would wait for a writer. */
  readonly readable: boolean;
  readonly fresh: boolean;
}

/** File systems count time in steps of up to a hundredth of a second. */
const stampStepMs = 20;

/** Never rejects: what is not there, or may not be looked at, is a sight as well. */
export async function glance(path: string, files: WatchFiles): Promise<Glance> {
  try {
    const facts = await files.lstat(path, { bigint: true });
    if (facts === undefined) return nothing;
    if (!facts.isSymbolicLink()) return glanceOf('', facts, files);
    const target = await files.readlink(path);
    const behind = await files.stat(path, { bigint: true }).catch(() => undefined);
    return behind === undefined
      ? { stamp: `link to ${target}, which is missing`, readable: false, fresh: false }
      : glanceOf(`link to ${target}: `, behind, files);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    // A parent that is no directory and a name that is not there are the same to whoever watches.
    if (code === 'ENOTDIR' || code === 'ENOENT') return nothing;
    return { stamp: code, readable: false, fresh: false };
  }
}

const nothing: Glance = { stamp: 'ENOENT', readable: false, fresh: false };

/** The same with the content, where there is content to tell by. */
export async function look(path: string, files: WatchFiles): Promise<Sight> {
  const first = await glance(path, files);
  return complete(path, first, files);
}

export async function complete(
  path: string,
  { stamp, readable, fresh }: Glance,
  files: WatchFiles,
): Promise<Sight> {
  const content = readable ? await hashOf(path, files) : undefined;
  return content === undefined ? { stamp, fresh } : { stamp, content, fresh };
}

/**
 * A file that was only touched has not changed. Where one of the two contents is unknown the stamp decides, so that a
 * file growing past the limit counts as changed.
 */
export function hasChanged(before: Sight, now: Sight): boolean {
  if (before.content !== undefined && now.content !== undefined) return before.content !== now.content;
  return before.stamp !== now.stamp;
}

function glanceOf(prefix: string, facts: BigIntStats, { time }: WatchFiles): Glance {
  const { dev, ino, size, mtimeNs, ctimeNs } = facts;
  const fresh = Number(ctimeNs / 1_000_000n) > time() - stampStepMs;
  const readable = facts.isFile() && size <= hashLimit;
  if (facts.isFile() || facts.isDirectory())
    return {
      stamp: `${prefix}${kindOf(facts)} ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`,
      readable,
      fresh,
    };
  // The times of a device or a pipe move with its use; only what it is can be watched.
  return { stamp: `${prefix}${kindOf(facts)} ${dev} ${ino}`, readable, fresh: false };
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
      // Some files, those of the kernel, hold more than they say.
      let buffer = Buffer.allocUnsafe(facts.size + 1);
      let length = 0;
      for (;;) {
        if (length > hashLimit) return undefined;
        if (length === buffer.length) buffer = Buffer.concat([buffer], hashLimit + 1);
        const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
        length += bytesRead;
        if (bytesRead === 0) break;
      }
      return createHash('sha256').update(buffer.subarray(0, length)).digest('base64');
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
