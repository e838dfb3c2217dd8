// Moves a full journal aside: `events.jsonl` becomes `.1`, `.1` becomes `.2`, and the last one goes.
import { diskFiles, type Files } from './files.ts';
import { acquireLock } from './lock.ts';
import type { Owner } from './owner.ts';

export interface RotationLimits {
  /** A file that would grow beyond this many bytes is moved aside first. */
  readonly bytes: number;
  /** Files kept beside the one being written. */
  readonly keep: number;
}

export interface Rotation {
  readonly path: string;
  readonly limits: RotationLimits;
  /** Bytes about to be appended. */
  readonly incoming: number;
  readonly owner: Owner;
  readonly files?: Files;
}

export const rotationLimits: RotationLimits = { bytes: 10 * 1024 * 1024, keep: 3 };

/** A rotation takes a few system calls; a lock this old belongs to a process that died or was stopped in one. */
const staleAfterMs = 10_000;

/** An empty file is never full, however much is coming. */
export function isFull(size: number, incoming: number, limits: RotationLimits): boolean {
  return size > 0 && size + incoming > limits.bytes;
}

/**
 * Several processes may find the file full at once: one rotates, and looks again under the lock whether there still is
 * something to do. The others go on writing into the file they have open, wherever it stands. Never rejects: a journal
 * that cannot be moved aside grows.
 */
export async function rotate(rotation: Rotation): Promise<void> {
  const { path, limits, incoming, owner, files = diskFiles } = rotation;
  const lock = await acquireLock(`${path}.lock`, owner, { files, staleAfterMs }).catch(() => undefined);
  if (lock?.held !== true) return;
  try {
    const stats = await files.stat(path);
    if (!isFull(stats.size, incoming, limits)) return;
    for (let age = limits.keep - 1; age >= 1; age--) {
      await files.rename(`${path}.${age}`, `${path}.${age + 1}`).catch(() => {});
    }
    await files.rename(path, `${path}.1`);
  } catch {
    // Gone or not movable: the writers notice by its inode, or go on as before.
  } finally {
    await lock.release();
  }
}
