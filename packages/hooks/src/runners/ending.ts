// Ends everything a run started: TERM, a grace, KILL, until it is seen to be gone.
import { monotonicMs } from '../monotonic.ts';
import { groupRuns, signalGroup, type Group, type Kill } from './group.ts';
import { onAbort } from './on-abort.ts';
import type { Proc } from './proc.ts';
import { findStrays, type Marker } from './strays.ts';

export interface Family {
  /** Null where it is not known whether there is one: then the marker alone tells what belongs to it. */
  readonly group: Group | null;
  readonly marker: Marker;
}

/** How processes are found and ended; tests pass another one. */
export interface EndingWorld {
  readonly kill: Kill;
  readonly proc: Proc;
}

/** Between TERM and KILL. */
const graceMs = 2_000;
/** After KILL only a process stuck inside the kernel remains, and waiting longer does not help it. */
const afterKillMs = 5_000;

/**
 * True when nothing of the family runs any more. `hurry` ends the grace and shortens the waits. The waits do not keep the program alive: who
 * must see the end waits for this promise with a timer of their own.
 */
export async function endFamily(family: Family, world: EndingWorld, hurry?: AbortSignal): Promise<boolean> {
  const { group, marker } = family;
  const { kill, proc } = world;
  const begun = monotonicMs();
  const signal = (which: NodeJS.Signals) => group !== null && signalGroup(group, which, kill, proc);
  signal('SIGTERM');
  signalAll(await findStrays(marker, proc), 'SIGTERM', kill);
  let quietLooks = 0;
  for (let waitMs = 10; ; waitMs = quietLooks > 0 || hurry?.aborted ? 10 : Math.min(waitMs * 2, 200)) {
    await pause(waitMs, hurry);
    const strays = group !== null && groupRuns(group, kill, proc) ? null : await findStrays(marker, proc);
    // Once is not enough: in the moment of an exec a process has no environment that could be read.
    quietLooks = strays?.length === 0 ? quietLooks + 1 : 0;
    if (quietLooks === 2) return true;
    if (quietLooks === 1) continue;
    const passedMs = monotonicMs() - begun;
    if (passedMs > graceMs + afterKillMs) return false;
    if (passedMs < graceMs && !hurry?.aborted) continue;
    signal('SIGKILL');
    signalAll(strays ?? (await findStrays(marker, proc)), 'SIGKILL', kill);
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals, kill: Kill): void {
  for (const pid of pids) {
    try {
      kill(pid, signal);
    } catch {
      // It ended by itself, or belongs to somebody else.
    }
  }
}

/** Does not keep the program alive. */
function pause(ms: number, hurry?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      ignore();
      resolve();
    };
    const timer = setTimeout(done, ms).unref();
    const ignore = onAbort(hurry, done);
  });
}
