// Copies a session's log under a new id, while whoever has it open may go on writing it.
import { appendWholeLines, type Files, openForAppend, openForRead, readLines } from '@codey/hooks';
import { encodeEntry, longestLine, parseLine } from './line.ts';

export interface LogCopy {
  readonly from: string;
  readonly to: string;
  /** Of the copy. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly files: Files;
}

/**
 * The copy holds everything the original knows at this moment, spent `once` hooks and variables included, so that it
 * goes on exactly where that stands. Only the first line is another. Throws what the file system throws.
 */
export async function copyLog({ from, to, id, now, files }: LogCopy): Promise<void> {
  const source = await openForRead(files, from);
  if (source === undefined) throw new Error(`there is no log at ${from}`);
  try {
    const target = await openForAppend(files, to);
    try {
      for await (const lines of readLines(source, longestLine)) {
        const copied = lines.flatMap(({ text }) => copyLine(text, id, now));
        const { failure } = await appendWholeLines(target, copied, false);
        if (failure !== undefined) throw failure;
      }
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function copyLine(text: string, id: string, now: number): readonly string[] {
  const parsed = parseLine(text);
  if (parsed.kind === 'damaged') return [];
  if (parsed.kind === 'foreign' || parsed.entry.kind !== 'session') return [`${text}\n`];
  const { n, format, projectRoot, cwd, id: forkedFrom } = parsed.entry;
  return [encodeEntry({ kind: 'session', format, id, projectRoot, cwd, forkedFrom }, n, now).line];
}
