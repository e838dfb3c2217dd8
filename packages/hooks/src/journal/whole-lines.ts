// Appends lines so that none is ever torn for a reader, whatever the disk does half-way.
import type { OpenFile } from '../open-file.ts';

export interface Appended {
  /** How many of the lines are in the file whole. */
  readonly written: number;
  /** The file may end inside a line; the next append must begin with a newline. */
  readonly torn: boolean;
  readonly failure?: unknown;
}

/**
 * One write call for all lines: with O_APPEND nothing of another process gets between them. If the disk takes only a
 * part, the line it was cut in is written again, after a newline that closes the fragment: readers skip a fragment,
 * and no line is lost. Each line ends in a newline. Never rejects.
 */
export async function appendWholeLines(
  handle: OpenFile,
  lines: readonly string[],
  torn: boolean,
): Promise<Appended> {
  let written = 0;
  let cut = torn;
  while (written < lines.length) {
    const buffers = lines.slice(written).map((line) => Buffer.from(line));
    const block = Buffer.concat(cut ? [newline, ...buffers] : buffers);
    try {
      const { bytesWritten } = await handle.write(block, 0, block.length, null);
      if (bytesWritten === 0) return { written, torn: cut, failure: new Error('the disk took nothing') };
      const whole = countWhole(buffers, bytesWritten - (cut ? newline.length : 0));
      written += whole.lines;
      cut = whole.rest > 0;
    } catch (failure) {
      return { written, torn: cut, failure };
    }
  }
  return { written, torn: false };
}

const newline = Buffer.from('\n');

function countWhole(buffers: readonly Buffer[], bytes: number): { lines: number; rest: number } {
  let rest = bytes;
  let lines = 0;
  for (const buffer of buffers) {
    if (buffer.length > rest) break;
    rest -= buffer.length;
    lines += 1;
  }
  return { lines, rest };
}
