import { expect, it } from 'vitest';
import { createManualClock } from '../testing/manual-clock.ts';
import { createFrames, frameMs } from './frames.ts';
import { readKey } from './keys.ts';

it('draws the first change at once and many in one frame', () => {
  const clock = createManualClock();
  let drawn = 0;
  const frames = createFrames(() => {
    drawn += 1;
  }, clock);
  frames.changed();
  clock.advance(0);
  expect(drawn).toBe(1);
  for (let change = 0; change < 200; change += 1) {
    frames.changed();
    clock.advance(5);
  }
  expect(drawn).toBeLessThanOrEqual(Math.ceil(1_000 / frameMs) + 1);
  expect(drawn).toBeGreaterThan(25);
});

it('leaves out a frame that a key has drawn already', () => {
  const clock = createManualClock();
  let drawn = 0;
  const frames = createFrames(() => {
    drawn += 1;
  }, clock);
  frames.changed();
  frames.drawn();
  clock.advance(1_000);
  expect(drawn).toBe(0);
});

it.each([
  ['a', { kind: 'text', text: 'a' }],
  ['漢', { kind: 'text', text: '漢' }],
  ['👍', { kind: 'text', text: '👍' }],
  ['\r', { kind: 'named', name: 'enter' }],
  ['\u001b', { kind: 'named', name: 'escape' }],
  ['\u0003', { kind: 'named', name: 'ctrl+c' }],
  ['\u001b1', { kind: 'named', name: 'alt+1' }],
  ['\u001b[Z', { kind: 'named', name: 'shift+tab' }],
  ['\u001b[200~a\nb\u001b[201~', { kind: 'paste', text: 'a\nb' }],
  ['\u001b[I', undefined],
])('reads %j', (data, key) => {
  expect(readKey(data)).toEqual(key);
});
