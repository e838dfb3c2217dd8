import { expect, it } from 'vitest';
import { parseFork } from './fork-command.ts';

it.each([
  ['/fork look around', { context: false, prompt: 'look around' }],
  ['  /fork   --context  go on\nwith this ', { context: true, prompt: 'go on\nwith this' }],
  ['/fork -context x', { context: true, prompt: 'x' }],
  ['/fork --contextual x', { context: false, prompt: '--contextual x' }],
  ['/fork', { context: false, prompt: '' }],
  ['/fork --context', { context: true, prompt: '' }],
  ['/forks x', undefined],
  ['please /fork x', undefined],
])('reads %j', (line, command) => {
  expect(parseFork(line)).toEqual(command);
});
