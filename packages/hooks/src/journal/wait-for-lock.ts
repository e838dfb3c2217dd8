// Waits for a lock that others hold for moments only, as around a small file that is read, changed and written.
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../monotonic.ts';
import { acquireLock, type Lock } from './lock.ts';
import type { Owner } from './owner.ts';

/** Nobody works this long on a small file: whoever still holds the lock then is dead. */
const staleAfterMs = 30_000;

/**
 * Tries until the lock is held or `waitMs` milliseconds are over. Throws only what the file system throws when a file
 * cannot be made in that directory at all.
 */
export async function waitForLock(path: string, owner: Owner, waitMs = 5_000): Promise<Lock> {
  const until = monotonicMs() + waitMs;
  for (;;) {
    const lock = await acquireLock(path, owner, { staleAfterMs });
    if (lock.held || monotonicMs() >= until) return lock;
    await sleep(25);
  }
}
