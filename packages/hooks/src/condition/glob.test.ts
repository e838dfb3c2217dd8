import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, escapeGlob, unknownPart as U } from './glob.ts';

/** The rules of a glob with nothing done for speed. */
function naive(glob: string, text: string): boolean {
  if (glob === '') return text === '';
  const rest = glob.slice(1);
  if (glob[0] === '*') return naive(rest, text) || (text !== '' && naive(glob, text.slice(1)));
  if (text === '') return false;
  if (glob[0] === '?') return naive(rest, text.slice(1));
  const literal = glob[0] === '\\' && rest !== '' ? rest : glob;
  return literal[0] === text[0] && naive(literal.slice(1), text.slice(1));
}

describe('a glob covers the whole text [koder.if.tool-glob]', () => {
  it.each([
    ['git push*', 'git push origin', true],
    ['git push*', 'git push', true],
    ['git push*', 'git pull', false],
    ['git push', 'git push origin', false],
    ['*push', 'git push', true],
    ['src/*', 'src/a/b/c.ts', true],
    ['*', '', true],
    ['a*b', 'a\n/\nb', true],
    ['a?c', 'abc', true],
    ['a?c', 'a\u{1F600}c', true],
    ['a?c', 'ac', false],
    ['[a-c]x', 'bx', true],
    ['[a-c]x', 'dx', false],
    ['[!a]', 'b', true],
    ['[^a]', 'a', false],
    ['[]x]', ']', true],
    ['[a\\]]', ']', true],
    ['[a-]', '-', true],
    ['[ab', '[ab', true],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['a\\', 'a\\', true],
    ['$(x).+^{}|', '$(x).+^{}|', true],
    ['Git', 'git', false],
    ['', '', true],
    ['', 'a', false],
  ])('%j on %j: %s', (glob, text, expected) => {
    expect(compileGlob(glob).matches(text)).toBe(expected);
    expect(compileGlob(glob).couldMatch(text)).toBe(expected);
  });

  it('says what the plain rules say', () => {
    const glob = fc
      .array(fc.constantFrom('a', 'b', '*', '?', '\\', '\\*'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    const text = fc
      .array(fc.constantFrom('a', 'b', '*', '\\', '\n'), { maxLength: 10 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        glob,
        text,
        (pattern, value) => compileGlob(pattern).matches(value) === naive(pattern, value),
      ),
      { numRuns: 3000 },
    );
  });

  it('takes an escaped text as it is and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, other) => {
        if (text.includes(U) || other.includes(U)) return true;
        const glob = compileGlob(escapeGlob(text));
        return glob.matches(text) && glob.matches(other) === (text === other);
      }),
    );
  });

  it.each(['a*a*a*a*a*b', '*a*a*a*a*a*a*b', '*?*?*?*?*?b', '[a]*[a]*[a]*b'])(
    '%s does not blow up on a long text',
    (glob) => {
      expect(compileGlob(glob).matches('a'.repeat(1_000_000))).toBe(false);
      expect(compileGlob(glob).couldMatch(`${'a'.repeat(100_000)}${U}c`)).toBe(false);
    },
  );
});

describe('a text with parts nobody knows', () => {
  it.each([
    ['git push*', `git push ${U}`, true, true],
    ['git *', `git ${U}`, false, true],
    ['git', `git ${U}`, false, true],
    ['gitk*', `git ${U}`, false, false],
    ['git push*', `git ${U}`, false, true],
    ['git push*', `git ${U} push`, false, true],
    ['git push*', `git log ${U}`, false, false],
    ['git push*', `echo ${U}`, false, false],
    ['git push*', `${U} x`, false, true],
    ['rm *.c', `rm ${U}.c`, true, true],
    ['rm *.c', `rm ${U}.h`, false, false],
    ['cat ?', `cat ${U}`, false, true],
    ['*', U, true, true],
    ['a', `a${U}b`, false, false],
    ['ab', `a${U}b`, false, true],
  ])('%j on %j: surely %s, possibly %s', (glob, text, surely, possibly) => {
    expect(compileGlob(glob).matches(text)).toBe(surely);
    expect(compileGlob(glob).couldMatch(text)).toBe(possibly);
  });

  it('surely means whatever it is, and possibly misses nothing it could be', () => {
    const glob = fc
      .array(fc.constantFrom('a', 'b', ' ', '*', '?'), { maxLength: 6 })
      .map((parts) => parts.join(''));
    const words = fc.array(fc.constantFrom('a', 'b', 'ab', `a${U}`, U), { minLength: 1, maxLength: 4 });
    const filling = fc.constantFrom('', 'a', 'b', 'a b', 'bb');
    fc.assert(
      fc.property(glob, words, filling, (pattern, parts, value) => {
        const compiled = compileGlob(pattern);
        const text = parts.join(' ');
        const filled = text.replaceAll(U, value);
        const vanished = parts
          .filter((part, at) => at === 0 || part !== U)
          .join(' ')
          .replaceAll(U, value);
        if (compiled.matches(text) && !(compiled.matches(filled) && compiled.matches(vanished))) return false;
        return compiled.couldMatch(text) || !(compiled.matches(filled) || compiled.matches(vanished));
      }),
      { numRuns: 3000 },
    );
  });
});
