import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const known = ['text', 'calls', 'error', 'delay_ms', 'usage'];

it.each([
  ['txt', 'text'],
  ['TEXT', 'text'],
  ['tetx', 'text'],
  ['call', 'calls'],
  ['delay-ms', 'delay_ms'],
  ['banana', undefined],
  ['x', undefined],
])('%s may have meant %s', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
