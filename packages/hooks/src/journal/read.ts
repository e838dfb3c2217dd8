// Reads the journal back: every kept generation, oldest first, from both places it may stand in.
import type { OpenFile } from '../open-file.ts';
import { join } from 'node:path';
import type { JournalEntry, JournalLine } from './entry.ts';
import { diskFiles, type Files, openForRead } from './files.ts';
import { readLines } from './line-reader.ts';
import { type JournalPlace, journalName, journalPlaces } from './places.ts';
import { matchesShape, type Shape } from './shape.ts';

/** Where a journal is read from. */
export interface JournalSource {
  /** Real path of the project root. */
  readonly projectRoot: string;
  readonly home?: string;
  readonly files?: Files;
  /** Told of each piece that is no line of a journal: a fragment of a killed writer, or somebody else's text. */
  readonly onDamaged?: () => void;
}

/** Absent means any. */
export interface JournalFilter {
  readonly session?: string;
  readonly kinds?: readonly JournalEntry['kind'][];
}

/**
 * Lines in the order they were written. Where a session moved from the project to the user's folder, the two
 * files are merged by time. Lines that are appended while it reads may or may not be among them.
 */
export async function* readJournal(
  source: JournalSource,
  filter: JournalFilter = {},
): AsyncGenerator<JournalLine> {
  const [inProject, inHome] = journalPlaces(source.projectRoot, source.home);
  const first = readPlace(inProject, source, filter);
  const second = readPlace(inHome, source, filter);
  try {
    let [one, other] = await Promise.all([first.next(), second.next()]);
    while (one.done !== true || other.done !== true) {
      if (other.done === true || (one.done !== true && one.value.time <= other.value.time)) {
        if (one.done !== true) yield one.value;
        one = await first.next();
      } else {
        yield other.value;
        other = await second.next();
      }
    }
  } finally {
    await Promise.all([first.return(undefined), second.return(undefined)]);
  }
}

/** Longer than any line a writer makes; what exceeds it is not ours and is not worth the memory. */
const longestLine = 4 * 1024 * 1024;

async function* readPlace(
  place: JournalPlace | undefined,
  source: JournalSource,
  filter: JournalFilter,
): AsyncGenerator<JournalLine> {
  const generations = await openGenerations(place, source.files ?? diskFiles);
  try {
    for (const handle of generations) {
      for await (const lines of readLines(handle, longestLine)) {
        for (const { text } of lines) {
          if (text === '' || !mayMatch(text, filter)) continue;
          const line = parseJournalLine(text);
          if (line === undefined || line.fragment) source.onDamaged?.();
          if (line !== undefined && matches(line.value, filter)) yield line.value;
        }
      }
    }
  } finally {
    for (const handle of generations) await handle.close();
  }
}

/**
 * Opened from the newest to the oldest, all before any is read: a rotation in between then shows a file twice, which
 * its inode gives away, and never hides one.
 */
async function openGenerations(place: JournalPlace | undefined, files: Files): Promise<readonly OpenFile[]> {
  const directory = await place?.locate(files);
  if (directory === undefined) return [];
  const names = await files.readdir(directory).catch(() => []);
  const ages = names.map(ageOf).filter((age) => age !== undefined);
  const newestFirst = [0, ...ages.filter((age) => age > 0)].sort((a, b) => a - b);
  const opened = new Map<string, OpenFile>();
  for (const age of newestFirst) {
    const path = join(directory, age === 0 ? journalName : `${journalName}.${age}`);
    // What cannot be read, or is a link that somebody planted, is no journal of ours.
    const handle = await openForRead(files, path).catch(() => undefined);
    if (handle === undefined) continue;
    const { dev, ino } = await handle.stat({ bigint: true });
    const key = `${dev}:${ino}`;
    if (opened.has(key)) await handle.close();
    else opened.set(key, handle);
  }
  return [...opened.values()].reverse();
}

function ageOf(name: string): number | undefined {
  const match = /^events\.jsonl\.(\d{1,6})$/.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/** Spares the parsing of most lines when one session is asked for. */
function mayMatch(text: string, filter: JournalFilter): boolean {
  return filter.session === undefined || text.includes(JSON.stringify(filter.session));
}

function matches(line: JournalLine, filter: JournalFilter): boolean {
  return (
    (filter.session === undefined || line.session === filter.session) &&
    (filter.kinds === undefined || filter.kinds.includes(line.kind))
  );
}

const stamp: Shape = { time: 'string', session: 'string', pid: 'number', n: 'number', kind: 'string' };

const shapes: Readonly<Record<JournalEntry['kind'], Shape>> = {
  lifecycle: {
    event: 'string',
    agent: 'string',
    turn: 'string',
    tool: 'string',
    reason: 'string',
    message: 'string',
    error: 'string',
  },
  dispatch: {
    dispatch: 'string',
    event: 'string',
    agent: 'string',
    turn: 'string',
    verdict: 'string',
    ms: 'number',
    hooks: 'array',
  },
  hook_error: { event: 'string', hook: 'string', source: 'string', cause: 'string' },
  gate: { agent: 'string', tool: 'string', call: 'string', decision: 'string', by: 'string' },
  notice: { what: 'string' },
};

const hookShape: Shape = { id: 'string', scope: 'string', source: 'string', outcome: 'string' };

/**
 * A writer killed in a write leaves a fragment, and the next line follows it without a newline. A line begins with its
 * time, and inside a JSON string that beginning cannot occur, so the whole line is found behind the fragment.
 */
function parseJournalLine(text: string): { value: JournalLine; fragment: boolean } | undefined {
  const begin = text.lastIndexOf('{"time":');
  if (begin === -1) return undefined;
  const value = parse(text.slice(begin));
  return value === undefined ? undefined : { value, fragment: begin > 0 };
}

function parse(text: string): JournalLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!matchesShape(value, stamp)) return undefined;
  const kind = value.kind as string;
  // A kind of a newer codey is left to that codey.
  if (!Object.hasOwn(shapes, kind)) return undefined;
  if (!matchesShape(value, shapes[kind as JournalEntry['kind']])) return undefined;
  if (Array.isArray(value.hooks) && !value.hooks.every((hook) => matchesShape(hook, hookShape))) {
    return undefined;
  }
  return value as unknown as JournalLine;
}
