import type { JournalEntry } from '@codey/hooks';
import { describe, expect, it } from 'vitest';
import type { StoryExpectation } from './story.ts';
import { unmetExpectations } from './unmet.ts';

const nothing = { agent: 'main', turn: '', tool: '', reason: '', message: '', error: '' };
const entries: readonly JournalEntry[] = [
  {
    kind: 'lifecycle',
    event: 'blocked',
    ...nothing,
    tool: 'run_shell',
    reason: 'approval',
    message: 'bash: rm -rf build',
  },
  { kind: 'lifecycle', event: 'run_end', ...nothing, reason: 'completed' },
  {
    kind: 'dispatch',
    dispatch: 'd',
    event: 'PreToolUse',
    agent: 'main',
    turn: '1',
    tool: 'run_shell',
    verdict: 'deny',
    ms: 1,
    hooks: [
      { id: 'PreToolUse:1', scope: 'user', source: 'settings.json:3', outcome: 'blocked' },
      { id: 'PreToolUse:2', scope: 'user', source: 'settings.json:9', outcome: 'skipped', why: 'if' },
    ],
  },
  { kind: 'gate', agent: 'main', tool: 'run_shell', call: 'c', decision: 'denied', by: 'PreToolUse' },
];
const names = new Map([['PreToolUse:1', 'guard.sh']]);

const unmet = (expected: Partial<StoryExpectation>) =>
  unmetExpectations([{ line: 1, outcomes: {}, ...expected }], entries, names);

describe('unmetExpectations', () => {
  it.each<[string, Partial<StoryExpectation>]>([
    ['an event', { event: 'run_end' }],
    ['its values', { event: 'blocked', tool: 'run_shell', reason: 'approval', message: 'rm -rf' }],
    ['a decision in the word hooks use', { event: 'PreToolUse', decision: 'block' }],
    [
      'outcomes by name, place and id',
      {
        event: 'PreToolUse',
        outcomes: { 'guard.sh': 'blocked', 'settings.json:9': 'skipped (if)', 'PreToolUse:2': 'skipped' },
      },
    ],
    ['the gate', { gate: 'denied', tool: 'run_shell', by: 'PreToolUse' }],
    ['that something never came', { event: 'Stop', times: 0 }],
    ['how often it came', { event: 'PreToolUse', times: 1 }],
  ])('are none for %s', (_, expected) => {
    expect(unmet(expected)).toEqual([]);
  });

  it.each<[string, Partial<StoryExpectation>, readonly string[]]>([
    ['another value', { event: 'run_end', reason: 'error' }, ['run_end completed']],
    [
      'another decision',
      { event: 'PreToolUse', decision: 'allow' },
      ['PreToolUse run_shell deny guard.sh: blocked PreToolUse:2: skipped (if)'],
    ],
    [
      'another outcome',
      { event: 'PreToolUse', outcomes: { 'guard.sh': 'passed' } },
      [expect.stringContaining('guard.sh: blocked')],
    ],
    ['what never came', { event: 'Stop' }, []],
    ['another way of the gate', { gate: 'allowed' }, ['run_shell denied by PreToolUse']],
    ['too often', { event: 'run_end', times: 2 }, ['run_end completed']],
  ])('tell what came in the place of %s', (_, expected, came) => {
    expect(unmet(expected)).toMatchObject([{ came }]);
  });
});
