import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reveal, sanitise } from './sanitise.ts';

describe('sanitise', () => {
  it.each([
    ['leaves plain text, line feeds and tabs', 'one\n\ttwo', 'one\n\ttwo'],
    ['takes colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['takes cursor moves and erasing', 'rm -rf /\u001b[2K\u001b[1Gls', 'rm -rf /ls'],
    ['takes 8-bit control sequences', 'a\u009b31mb', 'ab'],
    ['takes window titles', 'a\u001b]0;evil\u0007b', 'ab'],
    [
      'takes hyperlinks and keeps their text',
      '\u001b]8;;https://example.com\u001b\\text\u001b]8;;\u001b\\',
      'text',
    ],
    ['takes clipboard writes', '\u001b]52;c;ZXZpbA==\u0007after', 'after'],
    ['takes device control strings', '\u001bPq#0;2;0\u001b\\after', 'after'],
    ['takes application program commands', '\u001b_Gf=100;AAAA\u001b\\after', 'after'],
    ['takes 8-bit strings', '\u009d0;title\u009cafter', 'after'],
    ['swallows nothing after an unterminated string', '\u001b]0;the rest stays', '0;the rest stays'],
    ['takes a lone escape', 'a\u001b', 'a'],
    ['takes character set switches', '\u001b(0lqk\u001b(B', 'lqk'],
    ['takes a terminal reset', 'a\u001bcb', 'ab'],
    ['lets no sequence grow together', '\u001b\u001b[m[31mred', '[31mred'],
    ['takes bells and backspaces', 'safe\u0008\u0008\u0008\u0008evil\u0007', 'safeevil'],
    ['makes a carriage return a line of its own', 'rm -rf /\rls', 'rm -rf /\nls'],
    ['keeps one line feed for CR LF', 'a\r\nb', 'a\nb'],
    ['breaks lines at Unicode separators', 'a\u2028b\u2029c\u0085d', 'a\nb\nc\nd'],
    ['takes bidirectional overrides and isolates', 'a\u202egpj.exe\u202c\u2066x\u2069', 'agpj.exex'],
    ['takes zero-width characters', 'p\u200bay\u2060pal\ufeff', 'paypal'],
    ['takes text hidden in tag characters', 'hi\u{e0068}\u{e0069}', 'hi'],
    ['takes joiners between spaces', 'a \u200d b\u200c', 'a  b'],
    ['keeps joined emoji', '👩\u200d💻 ❤\ufe0f\u200d🔥', '👩\u200d💻 ❤\ufe0f\u200d🔥'],
    ['keeps the joiners of Persian', 'می\u200cخواهم', 'می\u200cخواهم'],
    [
      'keeps accents and limits towers of them',
      `e\u0301 e${'\u0301'.repeat(20)}`,
      `e\u0301 e${'\u0301'.repeat(4)}`,
    ],
    ['replaces lone surrogates', 'a\ud800b', 'a\ufffdb'],
  ])('%s', (_, text, expected) => {
    expect(sanitise(text)).toBe(expected);
  });

  it('makes one line where asked', () => {
    expect(sanitise('  one\r\n\ttwo  three\n', { oneLine: true })).toBe('one two three');
  });
});

describe('reveal', () => {
  it.each([
    ['a title that would hide a command', 'echo \u001b]0;; rm -rf ~\u0007', 'echo ␛]0;; rm -rf ~␇'],
    ['an erased line', 'rm -rf /\u001b[2Kls', 'rm -rf /␛[2Kls'],
    ['a reversed name', 'cat \u202egpj.exe', 'cat ⟨U+202E⟩gpj.exe'],
    ['8-bit controls and DEL', '\u009b\u007f', '⟨U+009B⟩␡'],
  ])('spells out %s', (_, text, expected) => {
    expect(reveal(text)).toBe(expected);
  });
});

describe('whatever comes in', () => {
  const hostile = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
        fc.constantFrom(
          '\u001b',
          '\u001b[',
          '\u001b]',
          '\u009b',
          '\u009c',
          '\u0007',
          '\u001b\\',
          '\r',
          '\u200d',
        ),
        fc.constantFrom('\ufe0f', '\u0301', '\u3164', '\u202e', 'a', '1', '👩', '\u{e0041}', '\u{e0100}'),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(''));

  it.each([
    ['sanitise', sanitise],
    ['reveal', reveal],
  ])('%s lets no control, override or lone surrogate through', (_, clean) => {
    fc.assert(
      fc.property(hostile, (text) => {
        const cleaned = clean(text);
        expect(cleaned).not.toMatch(/(?![\n\t])\p{Cc}|\p{Bidi_Control}|\p{Surrogate}|[\u2028\u2029]/u);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['sanitise', sanitise],
    ['reveal', reveal],
  ])('%s changes nothing that is clean', (_, clean) => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(clean(clean(text))).toBe(clean(text));
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['\u009d', '\u001b]', '\u001b[', '\u200d', '\u0301', '\ufe0f', ' \n'])(
    'takes linear time on a million of %j',
    (piece) => {
      expect(sanitise(piece.repeat(1_000_000)).length).toBeLessThanOrEqual(2_000_000);
    },
  );

  it('leaves printable ASCII alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(sanitise(text)).toBe(text);
      }),
    );
  });

  it('gives one line without a break or tab where asked', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(sanitise(text, { oneLine: true })).not.toMatch(/[\n\t]/);
      }),
    );
  });
});
