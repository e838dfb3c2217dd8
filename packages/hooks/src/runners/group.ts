// Signals a process group and tells whether any of it still runs.
import type { Proc } from './proc.ts';

/** Same meaning as `process.kill`. */
export type Kill = (pid: number, signal: NodeJS.Signals | 0) => void;

export interface Group {
  /** The leader's pid, which is the group's number for as long as any member lives. */
  readonly pid: number;
  /** When the leader started; null where the system does not tell. */
  readonly startTime: number | null;
}

export function signalGroup(group: Group, signal: NodeJS.Signals, kill: Kill, proc: Proc): void {
  if (!isReused(group, proc)) reaches(group, signal, kill);
}

/** Zombies do not count: where nobody collects them they stay for ever and nothing can end them. */
export function groupRuns(group: Group, kill: Kill, proc: Proc): boolean {
  // Asked first: it is a hundredth of the work, and mostly the answer.
  if (!reaches(group, 0, kill) || isReused(group, proc)) return false;
  return proc.members(group.pid)?.length !== 0;
}

/**
 * A number whose leader is gone stays taken while members live, so only a leader with another start time means that
 * the number was given away again.
 */
function isReused(group: Group, proc: Proc): boolean {
  const startTime = group.startTime === null ? null : proc.startTime(group.pid);
  return startTime !== null && startTime !== group.startTime;
}

function reaches(group: Group, signal: NodeJS.Signals | 0, kill: Kill): boolean {
  // `kill(-1)` is every process of the user and `kill(0)` is ourselves; neither must ever come out of a bad number.
  if (!Number.isInteger(group.pid) || group.pid < 2)
    throw new RangeError(`${group.pid} is no process group.`);
  try {
    kill(-group.pid, signal);
    return true;
  } catch (error) {
    // Refused (EPERM) means that somebody is there.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
