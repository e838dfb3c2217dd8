// Who holds something, written so that another process can tell whether that process is still there.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { matchesShape } from './shape.ts';
import { createProc, type Proc } from '../runners/proc.ts';

/** A process, told apart from a later one with the same number. */
export interface Owner {
  readonly pid: number;
  /** As the operating system counts it; null where it does not say. */
  readonly startTime: number | null;
  readonly host: string;
  /** Changes with each start of the machine; empty where it is not known. */
  readonly boot: string;
}

/** `elsewhere`: on another machine or in another container, so that nothing can be said about it from here. */
export type OwnerState = 'alive' | 'dead' | 'elsewhere';

/** Names a process so that it cannot be mistaken for a later one with the same number. */
export function describeProcess(pid: number, proc: Proc = createProc()): Owner {
  return { pid, startTime: proc.startTime(pid), host: hostname(), boot: bootId() };
}

export function ownerState(owner: Owner, proc: Proc = createProc()): OwnerState {
  if (owner.host !== hostname()) return 'elsewhere';
  if (owner.boot !== bootId()) return 'dead';
  if (!exists(owner.pid)) return 'dead';
  const startTime = proc.startTime(owner.pid);
  // Without a start time on both sides a number that is in use has to be believed.
  if (owner.startTime === null || startTime === null) return 'alive';
  return owner.startTime === startTime ? 'alive' : 'dead';
}

/** Undefined for text that no owner wrote, or not to its end. */
export function parseOwner(text: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!matchesShape(value, { pid: 'number', host: 'string', boot: 'string' })) return undefined;
    const { pid, startTime, host, boot } = value as unknown as Owner;
    return { pid, startTime: typeof startTime === 'number' ? startTime : null, host, boot };
  } catch {
    return undefined;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
