import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMatcher, type Matcher } from './matcher.ts';

function matcher(text: string | undefined): Matcher {
  const compiled = compileMatcher(text);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.matcher;
}

describe('a matcher', () => {
  it.each([
    [undefined, 'anything', 'yes'],
    ['', '', 'yes'],
    ['', 'run_shell', 'yes'],
  ])('%j matches %j [koder.matcher.empty-matches-all]', (text, value, expected) => {
    expect(matcher(text).test(value)).toBe(expected);
  });

  it('* matches every value [koder.matcher.star-matches-all]', () => {
    expect(matcher('*').test('run_shell')).toBe('yes');
    expect(matcher('*').test('')).toBe('yes');
  });

  it.each([
    ['edit_file', 'edit_file', 'yes'],
    ['edit', 'edit_file', 'yes'],
    ['edit_file|write_file', 'write_file', 'yes'],
    ['edit_file|write_file', 'read_file', 'no'],
    ['Edit', 'edit_file', 'no'],
    ['^edit$', 'edit_file', 'no'],
    ['^(edit|write)_', 'write_file', 'yes'],
    ['mcp__.*__read', 'mcp__server__read', 'yes'],
    ['.*', 'x', 'yes'],
    ['\\.env$', '.env', 'yes'],
    ['\\.env$', 'xenv', 'no'],
    ['^(?!read)', 'read_file', 'no'],
    ['^(?!read)', 'edit_file', 'yes'],
    ['(a)\\1', 'aa', 'yes'],
    ['\\u0061', 'a', 'yes'],
    ['\\A', 'A', 'yes'],
    ['[^]a', 'xa', 'yes'],
    ['a|', 'b', 'yes'],
  ])('%j on %j answers %s [koder.matcher.regex]', (text, value, expected) => {
    expect(matcher(text).test(value)).toBe(expected);
  });

  it('keeps the text as it was written and is compiled once', () => {
    expect(matcher('^x').text).toBe('^x');
    expect(matcher('^x')).toBe(matcher('^x'));
  });

  it.each(['(a+)+$', '^(a|a)*$', '(.*)*x$'])('%s cannot blow up in the linear-time engine', (text) => {
    expect(matcher(text).test(`${'a'.repeat(5_000)}b`)).toBe('no');
  });

  it('is unknown where the native engine would never end, and remembers that [contract.if.unknown-runs] [contract.match.slow-runs]', () => {
    const hopeless = matcher('^(?=a)(a+)+$');
    const value = `${'a'.repeat(60)}b`;
    expect(hopeless.test(value)).toBe('unknown');
    expect(hopeless.test(value)).toBe('unknown');
    expect(hopeless.test('aa')).toBe('yes');
  });

  it.each([
    ['edit_file(', 'missing closing ) at character 10'],
    ['a(b(c)', 'missing closing ) at character 2'],
    ['ab)c', 'unexpected ) at character 3'],
    ['a[bc', 'missing closing ] at character 2'],
    ['**', 'missing argument to repetition operator at character 1'],
    ['a**b', 'invalid nested repetition operator at character 2'],
    ['x[b-a]', 'invalid character class range at character 3'],
    ['ab\\', 'trailing backslash at end of expression at character 3'],
  ])('%j is refused: %s', (text, problem) => {
    expect(compileMatcher(text)).toEqual({
      ok: false,
      message: `matcher "${text}" is not a regular expression: ${problem}`,
    });
  });

  it('answers as JavaScript would, whichever engine runs it [koder.matcher.regex]', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '_',
      '.',
      '^',
      '$',
      'a*',
      'b+',
      '(a|b)',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '\\s',
      '\\b',
      '\\.',
      '|',
      '(?:a_)?',
      'a{2}',
      '[^]',
      '(?=a)',
      '\\x61',
    );
    const pattern = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
    const value = fc
      .array(fc.constantFrom('a', 'b', '_', '.', ' ', '1', '\u00a0'), { maxLength: 6 })
      .map((chars) => chars.join(''));
    let undecided = 0;
    fc.assert(
      fc.property(pattern, value, (text, tested) => {
        const answer = matcher(text).test(tested);
        // A machine that stands still for the limit of the native engine decides nothing.
        if (answer === 'unknown') undecided++;
        else expect(answer).toBe(new RegExp(text).test(tested) ? 'yes' : 'no');
      }),
      { numRuns: 1000 },
    );
    expect(undecided).toBeLessThan(50);
  });
});
