// The append-only file a session is kept in. A kill at any byte costs at most the line being written.
import {
  appendWholeLines,
  createLineQueue,
  diskFiles,
  type Files,
  failureReason,
  type OpenFile,
  openForAppend,
  openForRead,
  readLines,
} from '@codey/hooks';
import type { LoggedEntry, SessionEntry } from './entry.ts';
import { encodeEntry, longestLine, parseLine } from './line.ts';

export interface SessionLog {
  /** The file; undefined for a session that is kept in memory only. */
  readonly path: string | undefined;
  /** Never waits and never throws; gives the entry back as it will stand in the log. */
  append(entry: SessionEntry): LoggedEntry;
  /** Resolves when everything appended is in the file, or the disk has just refused it. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface SessionLogOptions {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onNotice: (text: string) => void;
  readonly files?: Files;
}

export interface OpenedLog {
  readonly log: SessionLog;
  readonly entries: readonly LoggedEntry[];
  /** Lines that are no entries: closed fragments, or somebody else's text. They stay in the file. */
  readonly damaged: number;
}

/**
 * Opens a log, new or old; one process at a time (the session's lock sees to it). A last line that was cut off is
 * truncated away, and nothing else is ever removed.
 *
 * Written is handed to the operating system, which survives a kill of this process. A power cut can take the run that
 * is under way: the disk itself is only waited for at the end of a run and when the session closes.
 *
 * When the disk refuses, the conversation goes on in memory, the user is told, and every later entry tries again with
 * all that is missing. Rejects only for a log that is there and cannot be read; that one is not touched.
 */
export async function openSessionLog(options: SessionLogOptions): Promise<OpenedLog> {
  const { path, now, onNotice, files = diskFiles } = options;
  const found = await readLog(path, files);
  let n = found.lastN;
  let handle: OpenFile | undefined;
  let torn = false;
  let refused = false;
  let syncDue = false;

  async function write(lines: readonly string[]): Promise<number> {
    const { written, failure } = await put(lines);
    if (failure !== undefined && !refused) onNotice(cannotSave(path, failure));
    if (failure === undefined && refused) onNotice(`The conversation is saved to ${path} again, all of it.`);
    refused = failure !== undefined;
    return written;
  }

  async function put(lines: readonly string[]): Promise<{ written: number; failure?: unknown }> {
    let written = 0;
    try {
      handle ??= await openMended(path, files, found);
      const result = await appendWholeLines(handle, lines, torn);
      torn = result.torn;
      written = result.written;
      if (result.failure !== undefined) return { written, failure: result.failure };
      if (syncDue) await handle.datasync();
      syncDue = false;
      return { written };
    } catch (failure) {
      return { written, failure };
    }
  }

  const queue = createLineQueue({ write });
  await write([]);

  const log: SessionLog = {
    path,
    append(entry) {
      n += 1;
      const encoded = encodeEntry(entry, n, now());
      syncDue ||= entry.kind === 'closed' || (entry.kind === 'run' && entry.state === 'end');
      queue.push(encoded.line);
      return encoded.entry;
    },
    flush: () => queue.flush(),
    async close() {
      await queue.flush();
      await handle?.close().catch(() => {});
      handle = undefined;
    },
  };
  return { log, entries: found.entries, damaged: found.damaged };
}

/** A log without a file, for a program without a home directory. */
export function createMemoryLog(now: () => number): SessionLog {
  let n = 0;
  return {
    path: undefined,
    append(entry) {
      n += 1;
      return encodeEntry(entry, n, now()).entry;
    },
    flush: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

export interface ReadLog {
  readonly entries: readonly LoggedEntry[];
  readonly damaged: number;
  readonly lastN: number;
  /** Offset behind the last line that is whole; what follows is the beginning of a line. */
  readonly wholeEnd: number;
  /** The last line is whole but for its newline. */
  readonly newlineMissing: boolean;
}

/** Reads a log without touching it, also while another process appends. Empty for a file that is not there. */
export async function readLog(path: string, files: Files = diskFiles): Promise<ReadLog> {
  const entries: LoggedEntry[] = [];
  let damaged = 0;
  let lastN = 0;
  let wholeEnd = 0;
  let newlineMissing = false;
  const handle = await openForRead(files, path);
  try {
    for await (const lines of handle === undefined ? [] : readLines(handle, longestLine)) {
      for (const line of lines) {
        const parsed = parseLine(line.text);
        if (!line.closed && parsed.kind === 'damaged') continue;
        wholeEnd = line.end;
        newlineMissing = !line.closed;
        if (parsed.kind === 'damaged') damaged += line.text === '' ? 0 : 1;
        else if (parsed.kind === 'foreign') lastN = Math.max(lastN, parsed.n);
        else {
          entries.push(parsed.entry);
          lastN = Math.max(lastN, parsed.entry.n);
        }
      }
    }
  } finally {
    await handle?.close();
  }
  return { entries, damaged, lastN, wholeEnd, newlineMissing };
}

/** The line a log begins with; undefined when there is none, or it was damaged. Touches nothing. */
export async function readFirstEntry(
  path: string,
  files: Files = diskFiles,
): Promise<Extract<LoggedEntry, { kind: 'session' }> | undefined> {
  const handle = await openForRead(files, path);
  try {
    for await (const [line] of handle === undefined ? [] : readLines(handle, longestLine)) {
      const parsed = line === undefined ? undefined : parseLine(line.text);
      return parsed?.kind === 'entry' && parsed.entry.kind === 'session' ? parsed.entry : undefined;
    }
    return undefined;
  } finally {
    await handle?.close();
  }
}

async function openMended(path: string, files: Files, found: ReadLog): Promise<OpenFile> {
  const handle = await openForAppend(files, path);
  try {
    const { size } = await handle.stat();
    if (size > found.wholeEnd) await handle.truncate(found.wholeEnd);
    if (found.newlineMissing) await appendWholeLines(handle, ['\n'], false);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function cannotSave(path: string, reason: unknown): string {
  return `The conversation cannot be saved to ${path}: ${failureReason(reason)}. It goes on in memory; make room or give access, and what is missing is written with the next step.`;
}
