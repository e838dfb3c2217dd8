import { execFileSync } from 'node:child_process';
import { runInThisContext } from 'node:vm';
import { expect, it } from 'vitest';
import { beginOtherwise } from './steady-spreads.mjs';

it.each([
  ['a key', '{ ...one, more: 1 }'],
  ['a key there may be', '{ ...one, ...(one.a > 0 && { more: 1 }) }'],
  ['another object', '{ ...one, ...{ more: 1 } }'],
])('gives all objects of a literal one hidden class where it adds %s', (_, literal) => {
  const code = beginOtherwise(`
    const areOneClass = new Function('one', 'other', 'return %HaveSameMap(one, other)');
    const one = { a: 1, b: 2 };
    const make = () => (${literal});
    const first = make();
    const others = Array.from({ length: 1000 }, make);
    console.log(others.filter((other) => !areOneClass(first, other)).length);
  `);
  const said = execFileSync(process.execPath, ['--allow-natives-syntax', '-e', code], { encoding: 'utf8' });
  expect(said).toBe('0\n');
});

it.each([
  ['a spread alone', '({ ...one })'],
  ['a spread behind a key', '({ a: 1, ...one })'],
  ['a pattern', 'const { ...rest } = one'],
  ['arguments and arrays', 'f(...one, 1, [...one, 2])'],
])('leaves %s alone', (_, code) => {
  expect(beginOtherwise(code)).toBe(code);
});

it('finds literals within literals, and behind letters of more than one byte', () => {
  const code = beginOtherwise('(one) => ["é😀", { ...one, b: { ...one, c: 1 } }]');
  const make = runInThisContext(code) as (one: object) => unknown;
  expect(make({ a: 1 })).toEqual(['é😀', { a: 1, b: { a: 1, c: 1 } }]);
  expect(code.match(/\.\.\.null/g)).toHaveLength(2);
});
