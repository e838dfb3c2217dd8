import { expect, it } from 'vitest';
import { nearest } from './suggest.ts';

it.each([
  ['a missing letter', 'modl', 'model'],
  ['a letter too many', 'modell', 'model'],
  ['a wrong letter', 'modal', 'model'],
  ['two letters swapped', 'mdoel', 'model'],
  ['another case', 'MODEL', 'model'],
  ['nothing near', 'weather', undefined],
  ['nothing typed', '', undefined],
])('guesses through %s', (_, typed, expected) => {
  expect(nearest(typed, ['model', 'settings', 'no-hooks'])).toBe(expected);
});

it('prefers the nearest of several', () => {
  expect(nearest('mcp', ['map', 'mcp', 'mop'])).toBe('mcp');
});
