import { describe, expect, it } from 'vitest';
import { shellCall, testContext, testEngine, testHook, testSnapshot } from '../testing/table-engine.ts';
import type { HookEngine } from './engine.ts';

const asked = async (engine: Pick<HookEngine, 'dispatch'>) => {
  const { reports } = await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
  return reports.map(({ hook }) =>
    hook.handler.type === 'command' ? hook.handler.command : hook.handler.type,
  );
};

describe('an engine with further hooks', () => {
  it('asks them behind its own, and the engine it came from does not', async () => {
    const { engine } = testEngine(testSnapshot([testHook('mine')]));
    const more = engine.with([testHook('theirs')]);
    expect(await asked(more)).toEqual(['mine', 'theirs']);
    expect(await asked(engine)).toEqual(['mine']);
    expect(await asked(more.with([testHook('deeper')]))).toEqual(['mine', 'theirs', 'deeper']);
    expect(more.snapshot.policy).toHaveLength(2);
  });

  it('follows every later change of that engine, while a pinned dispatcher stays as it was', async () => {
    const { engine } = testEngine(testSnapshot([testHook('old')]));
    const more = engine.with([testHook('theirs')]);
    const pinned = more.pin();
    engine.use(testSnapshot([testHook('new')]));
    const remove = engine.on('PreToolUse', () => undefined, { name: 'in process' });
    expect(await asked(more)).toEqual(['function', 'new', 'theirs']);
    expect(await asked(pinned)).toEqual(['old', 'theirs']);
    remove();
    expect(await asked(more)).toEqual(['new', 'theirs']);
  });
});
