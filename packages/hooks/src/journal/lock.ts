// A lock that is a file: made if absent, naming its owner, and taken over when that owner is no more.
import { randomId } from '../random.ts';
import { createFile } from './create-file.ts';
import { diskFiles, type Files } from './files.ts';
import { type Owner, type OwnerState, ownerState, parseOwner } from './owner.ts';

/** What came of an attempt to take a lock. */
export type Lock =
  | { readonly held: true; readonly release: () => Promise<void> }
  /** `owner` is null when the file does not say whose it is, or is gone already. */
  | { readonly held: false; readonly owner: Owner | null };

export interface LockOptions {
  readonly files?: Files;
  readonly state?: (owner: Owner) => OwnerState;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** For work that takes moments: older than this many milliseconds, the lock is stale whatever its owner does. */
  readonly staleAfterMs?: number;
}

/**
 * Tries once and does not wait. A lock of a dead process is taken over; one of another machine is not, since nobody
 * can say from here. Throws only what the file system throws when a file cannot be made in that directory at all.
 */
export async function acquireLock(path: string, owner: Owner, options: LockOptions = {}): Promise<Lock> {
  const { files = diskFiles } = options;
  const text = lockText(owner);
  if (await createFile(files, path, text, lockMode)) return heldLock(files, path, text);
  const found = await inspectLock(path, options);
  if (found.kind === 'held') return { held: false, owner: found.owner };
  return takeOver(path, text, options);
}

/** What a lock looks like at this moment. `owner` is null where the file does not say. */
export type LockState =
  | { readonly kind: 'free'; readonly owner: null }
  | { readonly kind: 'held'; readonly owner: Owner | null }
  | { readonly kind: 'stale'; readonly owner: Owner | null };

/** Who holds a lock, without taking it. */
export async function inspectLock(path: string, options: LockOptions = {}): Promise<LockState> {
  const { files = diskFiles, state = ownerState, now = Date.now, staleAfterMs } = options;
  const stats = await files.stat(path).catch(() => undefined);
  if (stats === undefined) return { kind: 'free', owner: null };
  const owner = parseOwner(await read(files, path)) ?? null;
  const limitMs = staleAfterMs ?? (owner === null ? unreadableMs : Number.POSITIVE_INFINITY);
  const stale = now() - stats.mtimeMs > limitMs || (owner !== null && state(owner) === 'dead');
  return { kind: stale ? 'stale' : 'held', owner };
}

const lockMode = 0o600;

/**
 * A lock without a readable owner is being written at this moment, or its writer died in it. It is seen only where a file
 * cannot be made whole in one step.
 */
const unreadableMs = 10_000;

/**
 * Two processes may find the same stale lock. Only the one that holds the token beside it may replace it, and it looks
 * again first: the lock may be another by now, taken over and live.
 */
async function takeOver(path: string, text: string, options: LockOptions): Promise<Lock> {
  const { files = diskFiles } = options;
  const token = `${path}.takeover`;
  if (!(await createFile(files, token, text, lockMode))) {
    const other = await inspectLock(token, { ...options, staleAfterMs: unreadableMs });
    // Left by a process that died in the few system calls between here and the end: cleared for the next attempt.
    if (other.kind === 'stale') await remove(files, token);
    return { held: false, owner: other.owner };
  }
  try {
    const found = await inspectLock(path, options);
    if (found.kind === 'held') return { held: false, owner: found.owner };
    await remove(files, path);
    if (await createFile(files, path, text, lockMode)) return heldLock(files, path, text);
    return { held: false, owner: (await inspectLock(path, options)).owner };
  } finally {
    await remove(files, token);
  }
}

/** Differs for each attempt, so that two locks of one process are told apart as well. */
function lockText(owner: Owner): string {
  return `${JSON.stringify({ ...owner, attempt: randomId() })}\n`;
}

function heldLock(files: Files, path: string, text: string): Lock {
  return {
    held: true,
    async release() {
      // Not ours any more if it grew old in our hands and somebody took it over.
      if ((await read(files, path)) === text) await remove(files, path);
    },
  };
}

async function read(files: Files, path: string): Promise<string> {
  return files.readFile(path, 'utf8').catch(() => '');
}

async function remove(files: Files, path: string): Promise<void> {
  await files.unlink(path).catch(() => {});
}
