// Who has a session open. Two processes writing one conversation would each continue a different one.
import { join } from 'node:path';
import { acquireLock, describeProcess, type Files, type Lock, type Owner } from '@codey/hooks';

export function sessionLockPath(folder: string): string {
  return join(folder, 'lock');
}

/**
 * A lock of a process that is gone is taken over. Throws what the file system throws when the folder cannot be
 * written.
 */
export function lockSession(folder: string, pid: number, files?: Files): Promise<Lock> {
  const options = files === undefined ? {} : { files };
  return acquireLock(sessionLockPath(folder), describeProcess(pid), options);
}

/** What to tell a second process that wants a session somebody else has open. */
export function heldMessage(id: string, owner: Owner | null): string {
  const holder =
    owner === null
      ? 'another codey'
      : `codey with process id ${owner.pid} on ${owner.host || 'this machine'}`;
  return `Session ${id} is open in ${holder}. Go on there, or add --fork-session to go on here with a copy.`;
}
