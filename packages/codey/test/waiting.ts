// Waits for what another process does. Each wait ends by what it waits for, or with the time limit of the test.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(15);
}

/** Whether a process has code to run: one that has ended and waits to be collected has none. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    // Without /proc the signal has answered; with it the process has just gone.
    return process.platform !== 'linux';
  }
}
