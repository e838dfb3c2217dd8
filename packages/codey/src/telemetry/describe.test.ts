import type { JournalEntry } from '@codey/hooks';
import { expect, it } from 'vitest';
import { createSpanReader } from '../trace/read-spans.ts';
import { describeEntry } from './describe-entry.ts';
import { describeSpan } from './describe-span.ts';

const said = 'what somebody said';

const told = (
  event: Extract<JournalEntry, { kind: 'lifecycle' }>['event'],
  more: Partial<Extract<JournalEntry, { kind: 'lifecycle' }>> = {},
): JournalEntry => ({
  kind: 'lifecycle',
  event,
  agent: 'main',
  turn: '1',
  tool: '',
  reason: '',
  message: '',
  error: '',
  ...more,
});

const asked = (hook: object): JournalEntry => ({
  kind: 'dispatch',
  dispatch: 'd',
  event: 'PreToolUse',
  agent: 'main',
  turn: '1',
  verdict: 'none',
  ms: 1,
  hooks: [{ id: 'PreToolUse:1', scope: 'project', source: said, outcome: 'passed', ...hook }],
});

it('leaves out every sentence that an entry may hold', () => {
  const entries: readonly JournalEntry[] = [
    told('session_start', { reason: 'startup' }),
    told('run_start'),
    told('turn_start'),
    told('blocked', { tool: 'run_shell', reason: 'approval', message: said }),
    told('unblocked', { tool: 'run_shell', reason: 'approved', message: said }),
    asked({ output: said, ms: 1, outcome: 'failed', why: 'exit-code' }),
    { kind: 'hook_error', event: 'run_end', hook: 'run_end:1', source: said, cause: 'signal', detail: said },
    { kind: 'notice', what: said },
    told('run_end', { reason: 'error', error: said }),
    told('session_end', { reason: 'error', error: said }),
  ];
  const spans: unknown[] = [];
  const reader = createSpanReader({ settled: (span) => spans.push(describeSpan(span)) });
  entries.forEach((entry, time) => reader.read({ entry, time }));
  const records = entries.flatMap(describeEntry);
  expect(spans).toContainEqual(expect.objectContaining({ name: 'wait approval' }));
  expect(records).toContainEqual(expect.objectContaining({ eventName: 'codey.run_end', severity: 'ERROR' }));
  expect(JSON.stringify([spans, records])).not.toContain(said);
});

it('tells of a hook that was held back, and not of one that was not meant', () => {
  expect(describeEntry(asked({ outcome: 'skipped', why: 'modified' }))).toMatchObject([
    {
      eventName: 'codey.hook',
      severity: 'WARN',
      body: 'PreToolUse:1 skipped (modified)',
      attributes: { 'codey.hook.scope': 'project' },
    },
  ]);
  expect(describeEntry(asked({ outcome: 'skipped', why: 'matcher' }))).toEqual([]);
});

it('gives each span out once, those inside before what they lie in', () => {
  const names: string[] = [];
  const reader = createSpanReader({ settled: ({ kind }) => names.push(kind) });
  const entries = [told('session_start'), told('run_start'), told('turn_start'), asked({}), told('run_end')];
  entries.forEach((entry, time) => reader.read({ entry, time }));
  expect(names).toEqual(['hook', 'dispatch', 'turn', 'run']);
  reader.finish(9);
  reader.finish(10);
  expect(names).toEqual(['hook', 'dispatch', 'turn', 'run', 'session']);
});
