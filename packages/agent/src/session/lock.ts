// Who has a session open. Two processes writing one conversation would each continue a different one.
import { join } from 'node:path';
import { acquireLock, describeProcess, diskFiles, type Files, type Lock, type Owner } from '@codey/hooks';
import { isSessionId } from './id.ts';

/** `sessions` is the folder of all of them. */
export function sessionLockPath(sessions: string, id: string): string {
  return join(locksFolder(sessions), id);
}

/**
 * Ids of the sessions that are open or were left open, oldest first. Takes as long as there are such, however many have
 * ended. Throws what the file system throws, except where nothing was ever locked.
 */
export async function lockedSessions(sessions: string, files: Files = diskFiles): Promise<readonly string[]> {
  const names = await files.readdir(locksFolder(sessions)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return names.filter(isSessionId).sort();
}

/**
 * A lock of a process that is gone is taken over. Throws what the file system throws when the folder cannot be
 * written.
 */
export async function lockSession(
  sessions: string,
  id: string,
  pid: number,
  files: Files = diskFiles,
): Promise<Lock> {
  await files.mkdir(locksFolder(sessions), { recursive: true, mode: 0o700 });
  return acquireLock(sessionLockPath(sessions, id), describeProcess(pid), { files });
}

/** One for all, beside the sessions: a start looks at what is in it and at nothing else. */
function locksFolder(sessions: string): string {
  return join(sessions, 'open');
}

/** What to tell a second process that wants a session somebody else has open. */
export function heldMessage(id: string, owner: Owner | null): string {
  const holder =
    owner === null
      ? 'another codey'
      : `codey with process id ${owner.pid} on ${owner.host || 'this machine'}`;
  return `Session ${id} is open in ${holder}. Go on there, or add --fork-session to go on here with a copy.`;
}
