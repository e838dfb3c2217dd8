import { expect, it } from 'vitest';
import type { Block, CallBlock } from '../state/block.ts';
import { createPrinter } from './printer.ts';

const call = (agent: string, end: CallBlock['end']): Block => ({
  kind: 'call',
  key: 1,
  agent,
  id: 'c1',
  tool: 'run_shell',
  input: { command: 'sleep 61' },
  startedAt: 0,
  tail: [],
  end,
  hooks: [],
});
const answer: Block = { kind: 'answer', key: 2, agent: 'main', text: 'It is at work.', done: true };
const done = { kind: 'done', output: 'rested', failed: false, ms: 1 } as const;

it('lets nothing of the main agent wait for a call of another one, which is printed once it has ended', () => {
  const printed: string[] = [];
  const printer = createPrinter((line) => void printed.push(line), 60);
  printer.show([call('ann', { kind: 'running' }), answer]);
  expect(printed).toEqual(['It is at work.']);
  printer.show([call('ann', done), answer]);
  printer.show([call('ann', done), answer]);
  expect(printed.filter((line) => line.includes('rested'))).toHaveLength(1);
});

it('keeps the order within the work of the main agent', () => {
  const printed: string[] = [];
  const printer = createPrinter((line) => void printed.push(line), 60);
  printer.show([call('main', { kind: 'running' }), answer]);
  expect(printed).toEqual([]);
  printer.show([call('main', done), answer]);
  expect(printed.at(-1)).toBe('It is at work.');
});
