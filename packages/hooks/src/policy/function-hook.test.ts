import { describe, expect, it } from 'vitest';
import type { HookFunction } from '../config/hook.ts';
import { shellCall, testContext, testEngine, testSnapshot } from '../testing/table-engine.ts';

const returning = (value: unknown): HookFunction => {
  return () => value as ReturnType<HookFunction>;
};

describe('what a function returns', () => {
  it.each([
    ['hello', 'it returned "hello" where an answer with a verdict is expected'],
    [{}, 'it returned an answer whose verdict is undefined'],
    [{ verdict: 'deny' }, 'it returned an answer whose verdict is "deny", where Object is expected'],
    [{ verdict: { kind: 'block', reason: 'no' } }, 'it returned an answer whose verdict.kind is "block"'],
    [{ verdict: { kind: 'deny' } }, 'it returned an answer whose verdict.reason is undefined'],
    [
      { verdict: { kind: 'none' }, watchPaths: [1] },
      'it returned an answer whose watchPaths.0 is 1, where string is expected',
    ],
  ])('%j is a failed hook, not a failed dispatch', async (value, said) => {
    const { engine, notices } = testEngine(testSnapshot([]));
    engine.on('PreToolUse', returning(value), { name: 'embedded' });
    const { verdict, reports } = await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(verdict.kind).toBe('none');
    expect(reports[0]?.outcome).toMatchObject({
      kind: 'failed',
      cause: 'output',
      message: expect.stringContaining(said),
    });
    expect(notices).toHaveLength(1);
  });

  it('and a deny without words still says who denied', async () => {
    const { engine } = testEngine(testSnapshot([]));
    engine.on('PreToolUse', returning({ verdict: { kind: 'deny', reason: '' } }), { name: 'embedded' });
    const { verdict } = await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(verdict).toMatchObject({
      kind: 'deny',
      reasons: [{ text: 'blocked by PreToolUse hook embedded, embedded' }],
    });
  });
});

it('two functions of one name are two hooks, also after a third was taken away, twice', async () => {
  const { engine } = testEngine(testSnapshot([]));
  const called: string[] = [];
  const named = (who: string) => engine.on('PreToolUse', () => void called.push(who), { name: 'same' });
  const takeAway = named('first');
  named('second');
  takeAway();
  named('third');
  takeAway();
  await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
  expect(called.sort()).toEqual(['second', 'third']);
});
