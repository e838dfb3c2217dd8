import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { asLoadable } from './as-loadable.mjs';

/** What a chunk with this text exports. */
function load(code: string): unknown {
  const module = { exports: {} };
  const text = asLoadable(code);
  expect(text.every((byte) => byte < 0x80)).toBe(true);
  new Script(text.toString('latin1')).runInThisContext()(module.exports, undefined, module, '', '');
  return module.exports;
}

it.each([
  ['letters in strings and templates', 'module.exports = ["é", \'–\', `a${1}ü`];', ['é', '–', 'a1ü']],
  ['letters beyond 16 bits', 'module.exports = ["😀", /^[😀-😂]$/u.test("😁")];', ['😀', true]],
  ['letters in patterns', 'module.exports = [/^[–—]$/.test("—"), /é/v.test("é")];', [true, true]],
  ['letters in names', 'const größe = 3; module.exports = { größe };', { größe: 3 }],
  ['a backslash before a letter', String.raw`module.exports = ["\é", /[\–]/.test("–")];`, ['é', true]],
  [
    'a backslash of its own before a letter',
    String.raw`module.exports = ["\\é", /\\é/.test("\\é")];`,
    ['\\é', true],
  ],
  ['a line that goes on behind a separator', 'module.exports = "a\\\u2028b";', 'ab'],
])('means the same with %s', (_, code, meant) => {
  expect(load(code)).toEqual(meant);
});

it('keeps the lines of a chunk, so that a stack trace names the right one', () => {
  expect(asLoadable('one\n"é"\nthree').toString().split('\n').slice(1)).toEqual(['"\\u00e9"', 'three', '})']);
});

it('refuses a letter that would be seen to be escaped', () => {
  expect(() => asLoadable('module.exports = String.raw`é`;')).toThrow('String.raw');
});
