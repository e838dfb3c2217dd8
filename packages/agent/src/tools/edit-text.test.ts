import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdit } from './edit-text.ts';

function edit(text: string, oldText: string, newText: string, everywhere = false) {
  return applyEdit(text, { oldText, newText, everywhere });
}

/** Text, old, new → text, lines. */
const edits: readonly (readonly [string, string, string, string, string, readonly number[], boolean])[] = [
  ['one place', 'a\nb\nc\n', 'b', 'B', 'a\nB\nc\n', [2], false],
  ['several lines', 'a\nb\nc\n', 'a\nb\n', 'x\n', 'x\nc\n', [1], false],
  ['removal', 'a\nb\nc', '\nb', '', 'a\nc', [1], false],
  ['every place', 'x y x\nx', 'x', 'z', 'z y z\nz', [1, 1, 2], true],
  ['places that would overlap from the left', 'aaaa', 'aa', 'b', 'bb', [1, 1], true],
  [
    'CRLF stays though LF was given',
    'a\r\nb\r\nc\r\n',
    'a\nb',
    'x\ny\nz',
    'x\r\ny\r\nz\r\nc\r\n',
    [1],
    false,
  ],
  ['CRLF stays for text without line ends', 'a\r\nb\r\n', 'b', 'b\nc', 'a\r\nb\r\nc\r\n', [2], false],
  ['CRLF given to a file with LF becomes LF', 'a\nb\n', 'a\r\nb', 'c\r\nd', 'c\nd\n', [1], false],
  [
    'each place of a mixed file keeps its own end',
    'x\r\ny\nx\ny\n',
    'x\ny',
    'z\nz',
    'z\r\nz\nz\nz\n',
    [1, 3],
    true,
  ],
  ['the last line follows the one before', 'a\r\nb', 'b', 'b\nc', 'a\r\nb\r\nc', [2], false],
  ['a file of one line takes LF', 'a', 'a', 'a\nb', 'a\nb', [1], false],
  ['a lone carriage return is text', 'a\rb\n', 'a\rb', 'c', 'c\n', [1], false],
  ['dollar signs stand for themselves', 'a', 'a', '$& $1 $$', '$& $1 $$', [1], false],
  ['a byte order mark stays', '\ufeffa', 'a', 'b', '\ufeffb', [1], false],
];

const refusals: readonly (readonly [string, string, string, string, RegExp])[] = [
  ['empty old text', 'a', '', 'b', /^old_string is empty/],
  ['nothing to change', 'a', 'a', 'a', /are the same/],
  ['a change of line ends only', 'a\r\nb', 'a\r\nb', 'a\nb', /are the same.*Line ends are kept/],
  ['several places', 'x\nx\n\nx', 'x', 'y', /occurs 3 times, at lines 1, 2, 4\..*replace_all/],
  ['many places', 'x\n'.repeat(50), 'x', 'y', /50 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …\./],
  [
    'other white space',
    'a\n\tb {\n\t\tc\n',
    '  b {\n    c',
    'y',
    /the text at line 2 differs from it in white space\. The file has:\n\tb \{\n\t\tc$/,
  ],
  [
    'a later line that differs',
    'f() {\n  one\n  two\n}\n',
    'f() {\n  one\n  three\n}',
    'y',
    /begins as line 1 does, but differs at line 3\.\nThe file has: {3} {2}two\nold_string has: {3}three$/,
  ],
  [
    'a text that goes beyond the end',
    'a\nb',
    'a\nb\nc',
    'y',
    /differs at line 3\.\nThe file has: {3}\(end of file\)/,
  ],
  ['a text that is not there at all', 'a\nb', 'zzz', 'y', /no line of the file reads like its first one/],
];

describe('applyEdit', () => {
  it.each(edits)('changes %s', (_, text, oldText, newText, expected, lines, everywhere) => {
    expect(edit(text, oldText, newText, everywhere)).toEqual({
      kind: 'edited',
      text: expected,
      lines,
    });
  });

  it.each(refusals)('refuses %s', (_, text, oldText, newText, message) => {
    const result = edit(text, oldText, newText);
    expect(result).toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(new RegExp(message, 's')),
    });
  });

  it('changes what a plain replacement would change, whatever the line ends', () => {
    const text = fc.stringMatching(/^[ab\n]{0,30}$/);
    const part = fc.stringMatching(/^[ab\n]{1,4}$/);
    fc.assert(
      fc.property(text, part, part, (plain, oldText, newText) => {
        fc.pre(plain.includes(oldText) && oldText !== newText);
        const expected = plain.replaceAll(oldText, newText);
        expect(edit(plain, oldText, newText, true)).toMatchObject({ text: expected });
        const crlf = (lines: string) => lines.replaceAll('\n', '\r\n');
        // Without any line end left in it, a text does not say which it would have.
        fc.pre(plain.includes('\n'));
        expect(edit(crlf(plain), oldText, newText, true)).toMatchObject({ text: crlf(expected) });
      }),
    );
  });

  it('looks for the likely place in a long file of equal lines', () => {
    const result = edit('}\n'.repeat(200_000), `${'}\n'.repeat(300)}x`, 'y');
    expect(result.kind).toBe('refused');
  });
});
