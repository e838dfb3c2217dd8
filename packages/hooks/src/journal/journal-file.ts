// One `events.jsonl` as one writer sees it: open it, notice when it was moved aside, append whole lines, rotate.
import type { OpenFile } from '../open-file.ts';
import { join } from 'node:path';
import { endsTorn, type Files, openForAppend } from './files.ts';
import type { Owner } from './owner.ts';
import { type JournalPlace, journalName } from './places.ts';
import { isFull, type RotationLimits, rotate } from './rotation.ts';
import { appendWholeLines } from './whole-lines.ts';

export interface JournalFile {
  /** How many lines are in the file, and what kept the others out. Never rejects. */
  write(lines: readonly string[]): Promise<{ readonly written: number; readonly failure?: unknown }>;
  close(): Promise<void>;
}

interface JournalAtHand {
  readonly path: string;
  readonly handle: OpenFile;
  readonly device: bigint;
  readonly inode: bigint;
  torn: boolean;
}

export function createJournalFile(
  place: JournalPlace,
  limits: RotationLimits,
  owner: Owner,
  files: Files,
): JournalFile {
  let current: JournalAtHand | undefined;

  /** The file that stands under the name at this moment, and its size. */
  async function ready(): Promise<{ file: JournalAtHand; size: number }> {
    if (current !== undefined) {
      const size = await sizeIfSame(files, current);
      if (size !== undefined) return { file: current, size };
      await close();
    }
    current = await open(place, files);
    return { file: current, size: (await current.handle.stat()).size };
  }

  async function close(): Promise<void> {
    await current?.handle.close().catch(() => {});
    current = undefined;
  }

  return {
    async write(lines) {
      try {
        const { file: found, size } = await ready();
        let file = found;
        const incoming = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
        if (isFull(size, incoming, limits)) {
          await rotate({ path: file.path, limits, incoming, owner, files });
          ({ file } = await ready());
        }
        const { written, torn, failure } = await appendWholeLines(file.handle, lines, file.torn);
        file.torn = torn;
        return failure === undefined ? { written } : { written, failure };
      } catch (failure) {
        return { written: 0, failure };
      }
    },
    close,
  };
}

async function open(place: JournalPlace, files: Files): Promise<JournalAtHand> {
  // Anew each time: what stands under `.codey` may have become a link since.
  const path = join(await place.prepare(files), journalName);
  const handle = await openForAppend(files, path);
  try {
    const { dev, ino } = await handle.stat({ bigint: true });
    return { path, handle, device: dev, inode: ino, torn: await endsTorn(handle) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Undefined when another file stands under the name, or none. */
async function sizeIfSame(files: Files, file: JournalAtHand): Promise<number | undefined> {
  try {
    const { dev, ino, size } = await files.stat(file.path, { bigint: true });
    return dev === file.device && ino === file.inode ? Number(size) : undefined;
  } catch {
    return undefined;
  }
}
