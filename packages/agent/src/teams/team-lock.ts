// One lock for everything of a team that must not happen twice at once, whichever process does it.
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock, describeProcess } from '@codey/hooks';

/** Runs one piece of work at a time. Rejects with what the work rejects with, or when the lock cannot be had at all. */
export type TeamLock = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function createTeamLock(path: string, pid: number): TeamLock {
  // Within a process in turn: only other processes are waited for by looking again.
  let last: Promise<unknown> = Promise.resolve();

  return (work) => {
    const done = last.then(async () => {
      const release = await take(path, pid);
      try {
        return await work();
      } finally {
        await release();
      }
    });
    last = done.catch(() => {});
    return done;
  };
}

/** As long as any sound writer could need; one that holds it longer is stuck, and the lock is taken from it. */
const stuckAfterMs = 30_000;

/** Resolves with the way to give it back. */
async function take(path: string, pid: number): Promise<() => Promise<void>> {
  const owner = describeProcess(pid);
  const until = Date.now() + 2 * stuckAfterMs;
  for (;;) {
    const lock = await acquireLock(path, owner, { staleAfterMs: stuckAfterMs });
    if (lock.held) return lock.release;
    if (Date.now() > until) throw new Error(`${path} is held by another process and is not given back`);
    // Not the same pause for all who wait.
    await sleep(2 + Math.random() * 8);
  }
}
