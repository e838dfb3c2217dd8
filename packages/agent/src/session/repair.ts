// Finishes what a killed codey left: the events its watchers wait for, its processes, its log. Runs no hooks for it.
import { join } from 'node:path';
import {
  describeProcess,
  diskFiles,
  type EndingWorld,
  type Files,
  failureReason,
  inspectLock,
  type JournalLine,
  openJournal,
  readJournal,
  readLedger,
  type Swept,
  sweepGroups,
  unfinishedEvents,
} from '@codey/hooks';
import { lockedSessions, lockSession, sessionLockPath } from './lock.ts';
import { openSessionLog } from './log.ts';
import { ledgerName, logName } from './session.ts';
import { foldSession } from './state.ts';
import type { SessionStore } from './store.ts';

export interface RepairOptions {
  readonly store: SessionStore;
  readonly projectRoot: string;
  readonly home: string;
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onNotice: (text: string) => void;
  readonly files?: Files;
  /** How processes are looked at and signalled. */
  readonly world?: EndingWorld;
}

export interface RepairedSession {
  readonly id: string;
  /** The lifecycle events that were journaled for it. */
  readonly events: readonly string[];
  readonly swept: Swept;
}

/**
 * For every session of the project whose owner is dead. Each step looks at what is there first, so that a repair
 * which is killed itself is finished by the next. Sessions of live processes and of other machines are left alone.
 * Never rejects.
 */
export async function repairSessions(options: RepairOptions): Promise<readonly RepairedSession[]> {
  const { store, files, onNotice } = options;
  const { folder } = store;
  if (folder === undefined) return [];
  const repaired: RepairedSession[] = [];
  const locked = await lockedSessions(folder, files).catch((error: unknown) => {
    onNotice(`Sessions that were killed cannot be looked for in ${folder}: ${failureReason(error)}.`);
    return [];
  });
  for (const id of locked) {
    const done = await repairSession(id, folder, options).catch((error: unknown) => {
      onNotice(
        `Session ${id} was killed and cannot be put in order: ${failureReason(error)}. Its files are in ${join(folder, id)}.`,
      );
    });
    if (done !== undefined) repaired.push(done);
  }
  return repaired;
}

/** Undefined for a session that needs no repair, or that somebody else is repairing. */
async function repairSession(
  id: string,
  sessions: string,
  options: RepairOptions,
): Promise<RepairedSession | undefined> {
  const { pid, files = diskFiles } = options;
  const { kind, owner } = await inspectLock(sessionLockPath(sessions, id), { files });
  if (kind !== 'stale') return undefined;
  const lock = await lockSession(sessions, id, pid, files);
  if (!lock.held) return undefined;
  const folder = join(sessions, id);
  try {
    // Nothing of before a restart of the machine runs, and its numbers are others' now.
    const sameBoot = owner === null || owner.boot === describeProcess(pid).boot;
    const swept = sameBoot ? await sweep(folder, options) : { gone: 0, left: 0 };
    const events = await finishJournal(id, options);
    await finishLog(folder, options);
    await files.unlink(join(folder, ledgerName)).catch(() => {});
    return { id, events, swept };
  } finally {
    await lock.release();
  }
}

async function sweep(folder: string, { files = diskFiles, world, onNotice }: RepairOptions): Promise<Swept> {
  const groups = await readLedger(join(folder, ledgerName), files);
  const swept = await sweepGroups(groups, world);
  if (swept.left > 0) {
    const pids = groups.map(({ pid }) => pid).join(', ');
    onNotice(
      `A session that was killed may have left processes running that could not be told from others (groups ${pids}).`,
    );
  }
  return swept;
}

async function finishJournal(id: string, options: RepairOptions): Promise<readonly string[]> {
  const { projectRoot, home, pid, now, onNotice, files = diskFiles } = options;
  const lines: JournalLine[] = [];
  for await (const line of readJournal({ projectRoot, home, files }, { session: id, kinds: ['lifecycle'] })) {
    lines.push(line);
  }
  const missing = unfinishedEvents(lines);
  if (missing.length === 0) return [];
  const journal = await openJournal({ projectRoot, home, session: id, pid, now, onNotice, files });
  for (const entry of missing) journal.append(entry);
  await journal.close();
  return missing.map(({ event }) => event);
}

async function finishLog(folder: string, { now, onNotice, files = diskFiles }: RepairOptions): Promise<void> {
  const { log, entries } = await openSessionLog({ path: join(folder, logName), now, onNotice, files });
  const { openRuns, name, closed } = foldSession(entries);
  if (entries.length > 0 && closed === undefined) {
    for (const agent of openRuns) log.append({ kind: 'run', agent, state: 'end', reason: 'interrupted' });
    // Said again where a list of sessions looks for it.
    if (name !== undefined) log.append({ kind: 'name', name });
    log.append({ kind: 'closed', reason: 'crashed' });
  }
  await log.close();
}
