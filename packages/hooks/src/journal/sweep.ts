// Ends the process groups that a dead session left running, and nothing else.
import type { EndingWorld } from '../runners/ending.ts';
import { endRecordedGroup, type GroupRecord } from '../runners/ledger.ts';
import { createProc } from '../runners/proc.ts';
import { carries } from '../runners/strays.ts';

/** What was ended of a dead session. */
export interface Swept {
  /** Groups of which nothing runs any more. */
  readonly gone: number;
  /** Groups that could not be ended, or not be told from a stranger's. */
  readonly left: number;
}

/**
 * A number in a ledger may belong to a stranger by now. A group is signalled only if its leader started when the ledger
 * says, or one of its members carries the marker of that run; processes that left their group are found by the marker
 * alone. Without a start time nothing is signalled.
 */
export async function sweepGroups(
  groups: readonly GroupRecord[],
  world: EndingWorld = { kill: process.kill, proc: createProc() },
): Promise<Swept> {
  // The waits for an end hold nothing: alone they would let the program end in the middle of its sweep.
  const held = setInterval(() => {}, 60_000);
  try {
    const ends = groups.filter(isSound).map((group) => {
      return endRecordedGroup(group, isOurs(group, world) ? world : sparing(group, world));
    });
    const gone = (await Promise.all(ends)).filter((ended) => ended).length;
    return { gone, left: groups.length - gone };
  } finally {
    clearInterval(held);
  }
}

/** A damaged ledger must not make us signal everything there is (-1) or ourselves (0). */
function isSound({ pid }: GroupRecord): boolean {
  return Number.isInteger(pid) && pid > 1;
}

function isOurs({ pid, startTime, marker }: GroupRecord, { proc }: EndingWorld): boolean {
  const found = proc.startTime(pid);
  if (found !== null) return found === startTime;
  const members = proc.members(pid) ?? [];
  return members.some((member) => carries(proc.environment(member)?.(marker.name), marker));
}

/** The same world without that group: as if no process were in it. */
function sparing({ pid }: GroupRecord, { kill, proc }: EndingWorld): EndingWorld {
  return {
    proc,
    kill(target, signal) {
      if (target === -pid) throw Object.assign(new Error(`Group ${pid} is not ours.`), { code: 'ESRCH' });
      return kill(target, signal);
    },
  };
}
