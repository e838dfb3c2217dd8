// One open session: its log, the state folded from it, and the files that belong to it.
import { join } from 'node:path';
import {
  createOutputStore,
  type Files,
  type Ledger,
  type LedgerFile,
  openLedger,
  type OutputStore,
} from '@codey/hooks';
import type { LoggedEntry, SessionEntry } from './entry.ts';
import { createMemoryLog, openSessionLog, type SessionLog } from './log.ts';
import { createSessionFold, type SessionState } from './state.ts';

export interface Session {
  readonly id: string;
  /** The log's path, as hooks are told it; undefined when the session is kept in memory only. */
  readonly transcript: string | undefined;
  /** Where the session's process groups are noted. */
  readonly ledger: Ledger;
  /** Where policy hooks' output is kept. */
  readonly outputs: OutputStore;
  /** Folded up to the last `append`. */
  state(): SessionState;
  /** Never waits and never throws. */
  append(entry: SessionEntry): LoggedEntry;
  /** Resolves when all of it is in the log. Hooks that may read the transcript start after this. */
  flush(): Promise<void>;
  /** The last entry; then the log is closed and the session's lock given up. */
  close(reason: string): Promise<void>;
}

export interface SessionPlace {
  readonly id: string;
  readonly folder: string;
  readonly release: () => Promise<void>;
  readonly now: () => number;
  readonly onNotice: (text: string) => void;
  readonly files?: Files;
}

export const logName = 'log.jsonl';
export const ledgerName = 'ledger.jsonl';

/**
 * Opens the log in a folder whose lock the caller holds; `close` gives that lock up. `damaged` counts unreadable
 * lines.
 */
export async function openSession(place: SessionPlace): Promise<{ session: Session; damaged: number }> {
  const { id, folder, release, now, onNotice, files } = place;
  const path = join(folder, logName);
  const opened = await openSessionLog({ path, now, onNotice, ...(files === undefined ? {} : { files }) });
  const ledger = openLedger(join(folder, ledgerName), onNotice);
  const session = assemble({
    id,
    log: opened.log,
    entries: opened.entries,
    ledger,
    outputs: createOutputStore(join(folder, 'output')),
    release,
  });
  return { session, damaged: opened.damaged };
}

/** A session that is gone with the process. */
export function createMemorySession(id: string, now: () => number): Session {
  return assemble({
    id,
    log: createMemoryLog(now),
    entries: [],
    ledger: { started() {}, ended() {}, close() {} },
    outputs: { save: () => Promise.resolve(undefined), spill: () => Promise.resolve(undefined) },
    release: () => Promise.resolve(),
  });
}

interface Parts {
  readonly id: string;
  readonly log: SessionLog;
  readonly entries: readonly LoggedEntry[];
  readonly ledger: LedgerFile;
  readonly outputs: OutputStore;
  readonly release: () => Promise<void>;
}

function assemble({ id, log, entries, ledger, outputs, release }: Parts): Session {
  const fold = createSessionFold(entries);

  function append(entry: SessionEntry): LoggedEntry {
    const logged = log.append(entry);
    fold.add(logged);
    return logged;
  }

  return {
    id,
    transcript: log.path,
    ledger,
    outputs,
    state: fold.state,
    append,
    flush: log.flush,
    async close(reason) {
      const { name } = fold.state();
      // Said again, because a list of sessions reads only the beginning and the end of a log.
      if (name !== undefined) append({ kind: 'name', name });
      append({ kind: 'closed', reason });
      await log.close();
      ledger.close();
      await release();
    },
  };
}
