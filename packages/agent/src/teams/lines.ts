// Append-only files of JSON lines that several processes write: what was appended survives a kill at any moment.
import { diskFiles, appendWholeLines, type Files, openForAppend, openForRead, readLines } from '@codey/hooks';

/** A line that is longer is no line of ours. */
export const longestLine = 1024 * 1024;

/** Resolves when the line is on the disk; throws what the file system throws. */
export async function appendLine(path: string, value: object, files: Files = diskFiles): Promise<void> {
  const handle = await openForAppend(files, path);
  try {
    const { size } = await handle.stat();
    const last = Buffer.alloc(1);
    // A writer that was killed may have left the beginning of a line, which must not swallow ours.
    if (size > 0) await handle.read(last, 0, 1, size - 1);
    const torn = size > 0 && last[0] !== 0x0a;
    const { failure } = await appendWholeLines(handle, [`${JSON.stringify(value)}\n`], torn);
    if (failure !== undefined) throw failure;
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

export interface ReadValues {
  readonly values: readonly unknown[];
  /** Where to go on reading: behind the last line that is closed. */
  readonly end: number;
}

/** From an offset that an earlier call returned. Lines that are no JSON are passed over; none for a missing file. */
export async function readValues(path: string, from = 0, files: Files = diskFiles): Promise<ReadValues> {
  const handle = await openForRead(files, path);
  const values: unknown[] = [];
  let end = from;
  try {
    for await (const lines of handle === undefined ? [] : readLines(handle, longestLine, from)) {
      for (const line of lines.filter(({ closed }) => closed)) {
        end = line.end;
        const value = parse(line.text);
        if (value !== undefined) values.push(value);
      }
    }
  } finally {
    await handle?.close();
  }
  return { values, end };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
