import { expect, it } from 'vitest';
import { plainStyle } from '../screen/style.ts';
import type { Block } from '../state/block.ts';
import { createTranscriptView } from './transcript-view.ts';

function notice(key: number, text: string): Block {
  return { kind: 'notice', key, tone: 'plain', text };
}

function viewOf(start: readonly Block[]) {
  let blocks = start;
  let again = 0;
  const view = createTranscriptView({
    blocks: () => blocks,
    style: plainStyle,
    highlight: (code) => code,
    again: () => {
      again += 1;
    },
  });
  return {
    view,
    show(next: readonly Block[]) {
      blocks = next;
      return view.lines(40);
    },
    again: () => again,
  };
}

it('gives the same array while nothing changes, and another one when something does', () => {
  const { view, show } = viewOf([notice(1, 'a')]);
  const first = view.lines(40);
  expect(view.lines(40)).toBe(first);
  const second = show([notice(1, 'a'), notice(2, 'b')]);
  expect(second).toEqual(['· a', '· b']);
  expect(first).toEqual(['· a']);
});

it('keeps no blanks behind what is said', () => {
  const text = 'Done:\n\n- one\n\n```ts\nlet a;\n```\nand so on';
  const { view } = viewOf([{ kind: 'answer', key: 1, agent: 'main', text, done: true }]);
  expect(view.lines(40).filter((line) => line !== line.trimEnd())).toEqual([]);
  expect(view.lines(40)).toContain('  - one');
});

it('draws what changed in the middle, what was added and what is gone', () => {
  const { view, show } = viewOf([notice(1, 'a'), notice(2, 'b'), notice(3, 'c')]);
  view.lines(40);
  expect(show([notice(1, 'a'), notice(2, 'two\nlines'), notice(3, 'c')])).toEqual([
    '· a',
    '· two',
    '  lines',
    '· c',
  ]);
  expect(show([notice(1, 'a'), notice(3, 'c'), notice(4, 'd')])).toEqual(['· a', '· c', '· d']);
  expect(show([])).toEqual([]);
});

it('draws a long conversation from its end, the rest in later frames', () => {
  const blocks = Array.from({ length: 10_000 }, (_, index) => notice(index + 1, `line ${index}`));
  const { view, again } = viewOf(blocks);
  const first = view.lines(40);
  expect(first.at(-1)).toBe('· line 9999');
  expect(first.length).toBeLessThan(blocks.length);
  expect(again()).toBe(1);
  while (view.lines(40).length < blocks.length) expect(again()).toBeLessThan(20);
  expect(view.lines(40)).toHaveLength(10_000);
  expect(view.lines(40)[0]).toBe('· line 0');
});

it('shows what it has at another width until all of it is drawn anew', () => {
  const blocks = Array.from({ length: 5_000 }, (_, index) => notice(index + 1, 'word '.repeat(10)));
  const { view } = viewOf(blocks);
  let frames = 0;
  while (view.lines(80).length < 5_000) frames += 1;
  const narrow = view.lines(30);
  expect(narrow.length).toBeGreaterThan(5_000);
  expect(narrow.slice(-2)).toEqual(['· word word word word word', '  word word word word word']);
  expect(frames).toBeLessThan(10);
});

it('folds one block by a click on any of its lines', () => {
  const call: Block = {
    kind: 'call',
    key: 2,
    agent: 'main',
    id: 'c',
    tool: 'run_shell',
    input: { command: 'seq' },
    startedAt: 0,
    tail: [],
    hooks: [],
    end: {
      kind: 'done',
      output: Array.from({ length: 20 }, (_, index) => `${index}`).join('\n'),
      failed: false,
      ms: 1,
    },
  };
  const { view } = viewOf([notice(1, 'a'), call]);
  expect(view.lines(40)).toHaveLength(9);
  view.clicked(3);
  expect(view.lines(40).length).toBeGreaterThan(20);
  view.clicked(0);
  view.clicked(15);
  expect(view.lines(40)).toHaveLength(9);
  view.toggleAll();
  expect(view.lines(40).length).toBeGreaterThan(20);
});
