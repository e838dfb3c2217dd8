// Append-only files of JSON lines that several processes write: what was appended survives a kill at any moment.
import {
  diskFiles,
  appendWholeLines,
  endsTorn,
  type Files,
  matchesShape,
  openForAppend,
  openForRead,
  readLines,
} from '@codey/hooks';

/** A line that is longer is no line of ours. */
export const longestLine = 1024 * 1024;

/** Resolves when the line is on the disk; throws what the file system throws. */
export function appendLine(path: string, value: object, files: Files = diskFiles): Promise<void> {
  return appendLines(path, [value], files);
}

/** All with one write, so that they stand together. */
export async function appendLines(
  path: string,
  values: readonly object[],
  files: Files = diskFiles,
): Promise<void> {
  if (values.length === 0) return;
  const handle = await openForAppend(files, path);
  try {
    // A writer that was killed may have left the beginning of a line, which must not swallow ours.
    const torn = await endsTorn(handle);
    const lines = values.map((value) => `${JSON.stringify(value)}\n`);
    const { failure } = await appendWholeLines(handle, lines, torn);
    if (failure !== undefined) throw failure;
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

export interface ReadValues {
  readonly values: readonly unknown[];
  /** Where to go on reading: behind the last line that is whole. */
  readonly end: number;
}

/**
 * From an offset that an earlier call returned. Lines that are no JSON are passed over; none for a missing file. The
 * beginning of an object is no object, so a last line that lacks nothing but its newline counts.
 */
export async function readValues(path: string, from = 0, files: Files = diskFiles): Promise<ReadValues> {
  const values: unknown[] = [];
  let end = from;
  for (const line of await allLines(path, from, files)) {
    const value = parse(line.text);
    if (value === undefined && !line.closed) break;
    end = line.end;
    if (value !== undefined) values.push(value);
  }
  return { values, end };
}

/** The beginning of a line whose writer was killed in it, or somebody else's text. */
export interface LostLine {
  readonly text: string;
  /** Offset of its first byte. */
  readonly at: number;
}

/** Says where a lost line stands, so that nobody is told of it again. */
type LostMark = { readonly kind: 'lost'; readonly at: number };

/** Closes the file if its last line is cut off, and gives back each lost line once; none for a missing file. */
export async function takeLostLines(path: string, files: Files = diskFiles): Promise<readonly LostLine[]> {
  const last = (await allLines(path, 0, files)).at(-1);
  // Closed before it is judged: another process may be writing the rest of it, and goes first then.
  if (last !== undefined && !last.closed) await closeLastLine(path, files);
  const lines = (await allLines(path, 0, files)).filter(({ text }) => text !== '');
  const values = lines.map(({ text }) => parse(text));
  const known = new Set(values.filter(isMark).map(({ at }) => at));
  const lost = lines
    .filter(({ start }, index) => values[index] === undefined && !known.has(start))
    .map(({ text, start }) => ({ text, at: start }));
  await appendLines(
    path,
    lost.map(({ at }): LostMark => ({ kind: 'lost', at })),
    files,
  );
  return lost;
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly closed: boolean;
}

async function allLines(path: string, from: number, files: Files): Promise<readonly Line[]> {
  const handle = await openForRead(files, path);
  const all: Line[] = [];
  try {
    for await (const lines of handle === undefined ? [] : readLines(handle, longestLine, from))
      all.push(...lines);
  } finally {
    await handle?.close();
  }
  return all;
}

async function closeLastLine(path: string, files: Files): Promise<void> {
  const handle = await openForAppend(files, path);
  try {
    const { failure } = await appendWholeLines(handle, ['\n'], false);
    if (failure !== undefined) throw failure;
  } finally {
    await handle.close();
  }
}

function isMark(value: unknown): value is LostMark & Record<string, unknown> {
  return matchesShape(value, { at: 'number' }) && value.kind === 'lost';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
