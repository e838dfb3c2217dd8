// Reads a file of any size as batches of lines in bounded memory.
import { Buffer, isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';

export interface LineBatch {
  /** Without their line feeds; a carriage return stays. */
  readonly lines: readonly string[];
  /** False where bytes that are no UTF-8 became U+FFFD. */
  readonly valid: boolean;
}

export interface LineOptions {
  /** Characters of one line; what is beyond is read and dropped, so a file without line feeds costs no memory. */
  readonly longest: number;
  readonly signal: AbortSignal;
}

/** Throws what reading throws, or the signal's reason. A byte order mark is not part of the first line. */
export async function* readLines(handle: FileHandle, options: LineOptions): AsyncGenerator<LineBatch> {
  const { longest, signal } = options;
  const chunk = Buffer.allocUnsafe(chunkSize);
  // A UTF-16 unit takes at most three bytes of UTF-8; one character more, since the last one kept may be half.
  const unfinished = createUnfinishedLine(longest * 3 + 4);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, chunkSize, position);
    if (bytesRead === 0) break;
    const start = position === 0 && chunk.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
    position += bytesRead;
    const bytes = chunk.subarray(start, bytesRead);
    const lastEnd = bytes.lastIndexOf(lineFeed);
    if (lastEnd === -1) {
      unfinished.add(bytes);
      continue;
    }
    const firstEnd = bytes.indexOf(lineFeed);
    unfinished.add(bytes.subarray(0, firstEnd));
    const first = decode(unfinished.take(), longest);
    const rest = firstEnd === lastEnd ? nothing : decode(bytes.subarray(firstEnd + 1, lastEnd), longest);
    unfinished.add(bytes.subarray(lastEnd + 1));
    yield { lines: first.lines.concat(rest.lines), valid: first.valid && rest.valid };
  }
  if (!unfinished.empty()) yield decode(unfinished.take(), longest);
}

const chunkSize = 256 * 1024;
const lineFeed = 10;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const nothing = { lines: [] as string[], valid: true };

function decode(bytes: Buffer, longest: number): { lines: string[]; valid: boolean } {
  const lines = bytes.toString('utf8').split('\n');
  return {
    lines: lines.map((line) => (line.length > longest ? line.slice(0, longest) : line)),
    valid: isUtf8(bytes),
  };
}

/** The start of a line whose end has not been read; never more than `most` bytes of it. */
function createUnfinishedLine(most: number) {
  let parts: Buffer[] = [];
  let length = 0;
  let seen = 0;
  return {
    add(bytes: Buffer): void {
      seen += bytes.length;
      const room = most - length;
      if (room <= 0 || bytes.length === 0) return;
      // A copy: the chunk is read into again.
      const part = Buffer.from(bytes.subarray(0, room));
      parts.push(part);
      length += part.length;
    },
    empty: () => seen === 0,
    take(): Buffer {
      const whole = Buffer.concat(parts);
      // Bytes were dropped, perhaps in the middle of a character: half of one would look like a fault of the file.
      const line = seen > length ? withoutLastCharacter(whole) : whole;
      parts = [];
      length = 0;
      seen = 0;
      return line;
    },
  };
}

function withoutLastCharacter(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start > 0 && isContinuation(bytes[start])) start -= 1;
  return bytes.subarray(0, start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
