// Writes what happens to `.codey/events.jsonl`, without ever delaying or failing whoever reports it.
import type { Journal, JournalEntry } from './entry.ts';
import { diskFiles, type Files, failureReason } from './files.ts';
import { createJournalFile, type JournalFile } from './journal-file.ts';
import { createLineQueue } from './line-queue.ts';
import { describeProcess } from './owner.ts';
import { journalPlaces } from './places.ts';
import { type RotationLimits, rotationLimits } from './rotation.ts';

export interface JournalOptions {
  /** Real path of the project root. */
  readonly projectRoot: string;
  /** The user's home directory, where the journal goes when the project cannot hold it. */
  readonly home?: string;
  readonly session: string;
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told once per reason, in a sentence for the user. */
  readonly onNotice: (text: string) => void;
  readonly files?: Files;
  readonly limits?: RotationLimits;
}

/** A journal that is being written. */
export interface OpenedJournal extends Journal {
  /** The file being written; undefined while there is none. */
  readonly path: () => string | undefined;
  /** Writes what is waiting, then closes the file. */
  close(): Promise<void>;
}

/** Lines kept while no file takes them. */
const kept = 10_000;

/** How long to leave a disk alone that refused. */
const retryAfterMs = 30_000;

/**
 * Never rejects. When the project cannot hold the journal it goes to the user's folder for that project and stays
 * there; when that fails too the newest 10,000 lines wait in memory and both places are tried again every half
 * minute. `n` counts the entries of this writer, so that a reader sees from a gap that something is missing.
 */
export async function openJournal(options: JournalOptions): Promise<OpenedJournal> {
  const { session, pid, now, onNotice, files = diskFiles, limits = rotationLimits } = options;
  const places = journalPlaces(options.projectRoot, options.home);
  const owner = describeProcess(pid);
  const told = new Set<string>();
  let place = 0;
  let file: JournalFile | undefined;
  let retryAt = 0;
  let n = 0;

  const queue = createLineQueue({ write, keep: kept });
  await write([]);

  async function write(lines: readonly string[]): Promise<number> {
    if (place >= places.length) {
      if (now() < retryAt) return 0;
      place = 0;
    }
    const refusals: string[] = [];
    let written = 0;
    for (let target = places[place]; target !== undefined; target = places[place]) {
      file ??= createJournalFile(target, limits, owner, files);
      const result = await file.write(lines.slice(written));
      written += result.written;
      if (result.failure === undefined) {
        if (refusals.length > 0) tell(`${cannotWrite(refusals)} It goes to ${target.label} instead.`);
        return written;
      }
      refusals.push(`to ${target.label}: ${failureReason(result.failure)}`);
      await file.close();
      file = undefined;
      place += 1;
    }
    retryAt = now() + retryAfterMs;
    tell(`${cannotWrite(refusals)} Nothing is recorded until that is put right; codey goes on trying.`);
    return written;
  }

  function tell(text: string): void {
    if (told.has(text)) return;
    told.add(text);
    onNotice(text);
  }

  return {
    append(entry) {
      n += 1;
      queue.push(encode(entry, { time: new Date(now()).toISOString(), session, pid, n }));
    },
    flush: () => queue.flush(),
    path: () => (file === undefined ? undefined : places[place]?.label),
    async close() {
      await queue.flush();
      await file?.close();
      file = undefined;
    },
  };
}

function cannotWrite(refusals: readonly string[]): string {
  return `The journal cannot be written ${refusals.join(', nor ')}.`;
}

interface Stamp {
  readonly time: string;
  readonly session: string;
  readonly pid: number;
  readonly n: number;
}

/** `time` stands first: readers find the beginning of a line by it where a killed writer left a fragment in front. */
function encode(entry: JournalEntry, stamp: Stamp): string {
  try {
    return `${JSON.stringify({ ...stamp, ...entry })}\n`;
  } catch {
    // An embedder's value that JSON cannot hold; the entry is lost, the fact is not.
    const what = `an entry of kind ${entry.kind} could not be written as JSON`;
    return `${JSON.stringify({ ...stamp, kind: 'notice', what })}\n`;
  }
}
