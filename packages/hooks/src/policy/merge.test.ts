import { describe, expect, it } from 'vitest';
import { testContext, testEngine, testHook, testSnapshot } from '../testing/table-engine.ts';
import type { PolicyEventName } from './catalogue.ts';
import { policyCatalogue } from './catalogue.ts';
import type { Answer } from './decision.ts';
import { merge } from './merge.ts';
import type { HookReport } from './report.ts';

const report = (name: string, answer: Partial<Answer>, line: number): HookReport => ({
  hook: testHook(name, { line }),
  outcome: { kind: 'decided' },
  answer: { verdict: { kind: 'none' }, ...answer },
  durationMs: 1,
});

describe('single values', () => {
  it('are the first in config order, and the others are noted [contract.merge.first-value]', () => {
    const merged = merge([
      report('quiet', {}, 1),
      report('first', { updatedToolOutput: 'one', worktreePath: '/one' }, 2),
      report('second', { updatedToolOutput: 'two', worktreePath: '/two' }, 3),
    ]);
    expect(merged).toMatchObject({ updatedToolOutput: { text: 'one' }, worktreePath: { text: '/one' } });
    expect(merged.reports.map(({ note }) => note)).toEqual([undefined, undefined, 'overridden']);
  });

  it('of a form are the first, except that decline and cancel beat accept [contract.merge.first-value]', () => {
    const accept = report('accepts', { elicitation: { action: 'accept', content: { a: 1 } } }, 1);
    const decline = report('declines', { elicitation: { action: 'decline' } }, 2);
    const cancel = report('cancels', { elicitation: { action: 'cancel' } }, 3);
    expect(merge([accept]).elicitation?.answer).toEqual({ action: 'accept', content: { a: 1 } });
    expect(merge([accept, decline, cancel]).elicitation?.answer).toEqual({ action: 'decline' });
    expect(merge([accept, decline]).reports.map(({ note }) => note)).toEqual(['overridden', undefined]);
  });
});

it('context and watched files are kept from every hook', () => {
  const merged = merge([
    report('one', { additionalContext: 'a', watchPaths: ['x'] }, 4),
    report('two', { additionalContext: 'b', watchPaths: [] }, 5),
  ]);
  expect(merged.contexts).toEqual([
    { hook: 'one, settings.json:4', place: 'settings.json:4', text: 'a' },
    { hook: 'two, settings.json:5', place: 'settings.json:5', text: 'b' },
  ]);
  expect(merged.watchPaths.map(({ paths }) => paths)).toEqual([['x'], []]);
});

it('a block where nothing can be blocked is shown and journaled all the same [koder.event.nothing-to-block]', async () => {
  const events: PolicyEventName[] = [
    'Notification',
    'PermissionDenied',
    'StopFailure',
    'SessionEnd',
    'Setup',
    'PostCompact',
    'CwdChanged',
    'FileChanged',
  ];
  for (const event of events) {
    expect(policyCatalogue[event].block).toBeNull();
    const { engine, journal } = testEngine(testSnapshot([testHook('block', { event })]), () => ({
      exit: 2,
      stderr: 'no',
    }));
    await engine.dispatch(event, policyCatalogue[event].example, testContext);
    expect(journal).toMatchObject([{ kind: 'dispatch', event, hooks: [{ outcome: 'blocked', exit: 2 }] }]);
  }
});

it('every dispatch is journaled with each hook, its source, its time and why it was skipped [contract.journal.dispatch-recorded]', async () => {
  const hooks = [testHook('runs', { line: 3 }), testHook('other', { matcher: 'write_file', line: 9 })];
  const { engine, journal } = testEngine(testSnapshot(hooks));
  await engine.dispatch(
    'PreToolUse',
    { tool_name: 'run_shell', tool_input: { command: 'ls' }, tool_call_id: 'c1', input_revision: 0 },
    { ...testContext, call: 'c1' },
  );
  expect(journal).toEqual([
    {
      kind: 'dispatch',
      dispatch: expect.any(String),
      event: 'PreToolUse',
      agent: 'main',
      turn: '1',
      tool: 'run_shell',
      call: 'c1',
      verdict: 'none',
      ms: 0,
      hooks: [
        {
          id: 'PreToolUse:runs',
          scope: 'user',
          source: 'settings.json:3',
          outcome: 'passed',
          ms: 1,
          exit: 0,
        },
        {
          id: 'PreToolUse:other',
          scope: 'user',
          source: 'settings.json:9',
          outcome: 'skipped',
          why: 'matcher',
        },
      ],
    },
  ]);
});

it('at most 10,000 characters of a text reach the model, and the rest is in a file it names [contract.cap.model-text]', async () => {
  const spilled: string[] = [];
  const long = '😀'.repeat(9_000);
  const { engine } = testEngine(
    testSnapshot([testHook('long')]),
    () => ({ json: { hookSpecificOutput: { additionalContext: long } } }),
    {
      spill: async (_hook, text) => {
        spilled.push(text);
        return '/session/output/00001.txt';
      },
    },
  );
  const { contexts } = await engine.dispatch('PreToolUse', policyCatalogue.PreToolUse.example, testContext);
  const [context] = contexts;
  expect(spilled).toEqual([long]);
  expect(context?.text.length).toBeLessThanOrEqual(10_000);
  expect(context?.text).toContain('/session/output/00001.txt');
  expect(context?.text).not.toMatch(/\p{Surrogate}/u);
});
