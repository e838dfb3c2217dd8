// What a session's ledger keeps of its process groups, so that the next start can end what a crash left behind.
import { createProc } from './proc.ts';
import { endFamily, type EndingWorld } from './ending.ts';
import type { Marker } from './strays.ts';

/** A process group that a session started. */
export interface GroupRecord {
  readonly pid: number;
  /** Clock ticks since boot; null where the system does not tell. */
  readonly startTime: number | null;
  /** The marker the group's processes carry. */
  readonly marker: Marker;
  /** A label without content, such as a hook's id. */
  readonly what: string;
}

/** Where a process host notes its groups. Neither method may throw. */
export interface Ledger {
  started(group: GroupRecord): void;
  /** Nothing of it is left that we would have to end. */
  ended(pid: number): void;
}

/**
 * Ends a group that a dead session left; true when it is gone. Without a start time to compare nothing is signalled:
 * the number may belong to somebody else by now.
 */
export function endRecordedGroup(
  record: GroupRecord,
  world: EndingWorld = { kill: process.kill, proc: createProc() },
): Promise<boolean> {
  if (record.startTime === null) return Promise.resolve(false);
  return endFamily({ group: record, marker: record.marker }, world);
}
