import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '@codey/hooks';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHistory } from './history.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'history-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const root = '/work/project';

it('what was typed is there in the next session, but not twice in a row', () => {
  const first = openHistory(home, root);
  for (const text of ['one', 'two\nlines', 'two\nlines', ' ']) first.add(text);
  expect(openHistory(home, root).entries).toEqual(['one', 'two\nlines']);
  expect(openHistory(home, '/work/other').entries).toEqual([]);
});

it('cut at any byte it loses the prompt that was being written and no other, before or after', () => {
  const prompts = ['first', 'zweite → Zeile', 'third'];
  const earlier = openHistory(home, root);
  for (const text of prompts) earlier.add(text);
  const file = join(projectFolder(home, root), 'prompts.jsonl');
  const whole = readFileSync(file);
  fc.assert(
    fc.property(fc.nat(whole.length), (length) => {
      writeFileSync(file, whole.subarray(0, length));
      const kept = whole.subarray(0, length).toString().split('\n').length - 1;
      const opened = openHistory(home, root);
      // The last line is whole also without its newline.
      const before = [...opened.entries];
      expect([prompts.slice(0, kept), prompts.slice(0, kept + 1)]).toContainEqual(before);
      opened.add('next');
      opened.add('and next');
      expect(openHistory(home, root).entries).toEqual([...before, 'next', 'and next']);
    }),
    { numRuns: 100, examples: [[0], [1], [whole.length - 1], [whole.length]] },
  );
});
