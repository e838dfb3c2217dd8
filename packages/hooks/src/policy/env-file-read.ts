// Reads what a hook left in its env file, if it still is the plain file it was given.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { failureReason } from '../journal/files.ts';

export type ReadEnvFile =
  | { readonly kind: 'text'; readonly text: string }
  /** `why` ends a sentence about the file. */
  | { readonly kind: 'refused'; readonly why: string };

/** Larger is no list of variables. */
const largest = 256 * 1024;

/**
 * A link could lead to a file the hook's author may not read, and a pipe would hold the session, so neither is opened.
 * A file that is gone says nothing. Never rejects.
 */
export async function readEnvFile(file: string): Promise<ReadEnvFile> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return refused('something that is not a regular file stands in its place');
      const buffer = Buffer.alloc(largest + 1);
      const length = await fill(buffer, (into, at) => handle.read(into, at, into.length - at, at));
      if (length > largest) return refused('it is larger than 256 KiB, so nothing of it counts');
      return { kind: 'text', text: buffer.toString('utf8', 0, length) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'text', text: '' };
    return refused(`${failureReason(error)}, so nothing of it counts`);
  }
}

/** The file may grow while it is read; what fits is what counts. */
async function fill(
  buffer: Buffer,
  read: (into: Buffer, at: number) => Promise<{ readonly bytesRead: number }>,
): Promise<number> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await read(buffer, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

function refused(why: string): ReadEnvFile {
  return { kind: 'refused', why };
}
