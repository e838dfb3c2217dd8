import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readLines } from './lines.ts';

function linesOf(pieces: readonly (string | Buffer)[], cap = 10): readonly string[] {
  const stream = new PassThrough();
  const seen: string[] = [];
  readLines(stream, cap, { onLine: (line) => seen.push(line), onOverlong: () => seen.push('(overlong)') });
  for (const piece of pieces) stream.emit('data', Buffer.from(piece));
  return seen;
}

describe('lines', () => {
  it.each([
    ['several in one piece', ['a\nb\n\nc\n'], ['a', 'b', '', 'c']],
    ['one in several pieces', ['a', 'b', '\nc\n'], ['ab', 'c']],
    ['without the last that never ended', ['a\nb'], ['a']],
    ['with a character in two pieces', [Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])], ['é']],
    ['none after one that is too long', ['a\n', '01234567890', '\nb\n'], ['a', '(overlong)']],
    ['as long as is allowed', ['0123456789\n'], ['0123456789']],
  ])('%s', (_name, pieces, lines) => {
    expect(linesOf(pieces)).toEqual(lines);
  });
});
