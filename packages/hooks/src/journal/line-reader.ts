// Reads a file line by line without ever holding more of it than one line and one chunk.
import type { OpenFile } from '../open-file.ts';

export interface FileLine {
  readonly text: string;
  /** Offset of its first byte. */
  readonly start: number;
  /** Offset behind it and its newline. */
  readonly end: number;
  /** False for a last line without a newline. */
  readonly closed: boolean;
}

/**
 * Yields the lines chunk by chunk. Of a line longer than `longest` bytes the middle is dropped, which no JSON survives:
 * its reader counts it as damage instead of running out of memory.
 */
export async function* readLines(
  handle: OpenFile,
  longest: number,
  from = 0,
): AsyncGenerator<readonly FileLine[]> {
  const chunk = Buffer.allocUnsafe(256 * 1024);
  let pieces: Buffer[] = [];
  let held = 0;
  let start = from;
  let position = from;
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    const data = chunk.subarray(0, bytesRead);
    const lines: FileLine[] = [];
    let begin = 0;
    for (let at = data.indexOf(0x0a); at !== -1; at = data.indexOf(0x0a, begin)) {
      const end = position + at + 1;
      const text = decode(pieces, data.subarray(begin, at));
      lines.push({ text, start, end, closed: true });
      pieces = [];
      held = 0;
      start = end;
      begin = at + 1;
    }
    if (begin < bytesRead && held < longest) {
      // Copied, because the chunk is read into again.
      const piece = Buffer.from(data.subarray(begin, begin + longest - held));
      pieces.push(piece);
      held += piece.length;
    }
    position += bytesRead;
    if (lines.length > 0) yield lines;
  }
  if (start < position) yield [{ text: decode(pieces), start, end: position, closed: false }];
}

function decode(pieces: readonly Buffer[], last?: Buffer): string {
  if (pieces.length === 0) return last === undefined ? '' : last.toString('utf8');
  return Buffer.concat(last === undefined ? pieces : [...pieces, last]).toString('utf8');
}
