import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  shellCall,
  testContext,
  testEngine,
  testHook,
  testSnapshot,
  type TableAnswer,
} from '../testing/table-engine.ts';

const rewriteTo = (command: string, more: object = {}): TableAnswer => ({
  json: { hookSpecificOutput: { updatedInput: { command }, ...more } },
});

describe('rewrites', () => {
  it('asks again whoever did not see the final input, and says which revision it is [contract.rewrite.asked-again] [contract.output.updated-input]', async () => {
    const { engine, asked } = testEngine(
      testSnapshot([testHook('look'), testHook('rewrite')]),
      (name, { input }) => {
        const seen = JSON.parse(input).tool_input.command;
        return name === 'rewrite' && seen === 'rm x' ? rewriteTo('trash x') : {};
      },
    );
    const decision = await engine.dispatch('PreToolUse', shellCall('rm x'), testContext);
    expect(decision.input).toEqual({ command: 'trash x' });
    expect(
      asked.map(({ command, payload }) => [command, payload.tool_input, payload.input_revision]),
    ).toEqual([
      ['look', { command: 'rm x' }, 0],
      ['rewrite', { command: 'rm x' }, 0],
      ['look', { command: 'trash x' }, 1],
    ]);
  });

  it('keeps a deny and an ask given for an earlier input and drops a stale allow [contract.rewrite.tightening-stays]', async () => {
    const verdicts = async (first: string): Promise<string> => {
      const { engine } = testEngine(
        testSnapshot([testHook('judge'), testHook('rewrite')]),
        (name, { input }) => {
          const seen = JSON.parse(input).tool_input.command;
          if (seen !== 'a') return {};
          return name === 'rewrite'
            ? rewriteTo('b')
            : { json: { hookSpecificOutput: { permissionDecision: first } } };
        },
      );
      return (await engine.dispatch('PreToolUse', shellCall('a'), testContext)).verdict.kind;
    };
    expect(await verdicts('deny')).toBe('deny');
    expect(await verdicts('ask')).toBe('ask');
    expect(await verdicts('allow')).toBe('none');
  });

  it('counts the allow of the hook that made the final input', async () => {
    const { engine } = testEngine(testSnapshot([testHook('rewrite')]), () =>
      rewriteTo('b', { permissionDecision: 'allow' }),
    );
    const decision = await engine.dispatch('PreToolUse', shellCall('a'), testContext);
    expect(decision).toMatchObject({ verdict: { kind: 'allow' }, input: { command: 'b' } });
  });

  it('asks a later hook of the group about the new input only if its condition fits that one', async () => {
    const group = 'one';
    const { engine, asked } = testEngine(
      testSnapshot([
        testHook('trash', { group, if: 'run_shell(rm *)' }),
        testHook('no rm', { group, if: 'run_shell(rm *)' }),
        testHook('no trash', { group, if: 'run_shell(trash *)' }),
      ]),
      (name) => (name === 'trash' ? rewriteTo('trash x') : {}),
    );
    const { reports } = await engine.dispatch('PreToolUse', shellCall('rm x'), testContext);
    expect(asked.map(({ command, payload }) => [command, payload.tool_input])).toEqual([
      ['trash', { command: 'rm x' }],
      ['no trash', { command: 'trash x' }],
    ]);
    expect(reports[1]?.outcome).toEqual({ kind: 'skipped', why: 'if' });
  });

  it('blocks and names hooks that do not settle [contract.rewrite.unsettled-blocks]', async () => {
    const { engine } = testEngine(
      testSnapshot([testHook('ping', { line: 3 }), testHook('pong', { line: 7 })]),
      (name) => rewriteTo(name),
    );
    const { verdict } = await engine.dispatch('PreToolUse', shellCall('a'), testContext);
    expect(verdict).toMatchObject({
      kind: 'deny',
      reasons: [{ text: expect.stringContaining('ping, settings.json:3; pong, settings.json:7') }],
    });
  });

  it('takes an input that comes back unchanged for no rewrite', async () => {
    const { engine, asked } = testEngine(testSnapshot([testHook('echo')]), () => rewriteTo('a'));
    const decision = await engine.dispatch('PreToolUse', shellCall('a'), testContext);
    expect(decision.input).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  it('selects anew for each input: an `if` that only the new input fits is asked', async () => {
    const hooks = [testHook('push-guard', { if: 'run_shell(git push*)' }), testHook('rewrite')];
    const { engine } = testEngine(testSnapshot(hooks), (name) =>
      name === 'rewrite' ? rewriteTo('git push') : { exit: 2, stderr: 'no pushes' },
    );
    const { verdict } = await engine.dispatch('PreToolUse', shellCall('git fetch'), testContext);
    expect(verdict).toMatchObject({ kind: 'deny', reasons: [{ text: 'no pushes' }] });
  });

  it('never lets an input run that a selected hook has not judged, and does not depend on who finishes first', async () => {
    const word = fc.constantFrom<string>('a', 'b', 'c', 'd');
    const behaviour = fc.record<{ group: string; rewrites: Record<string, string>; denies: string[] }>({
      group: fc.constantFrom('g1', 'g2', 'g3'),
      rewrites: fc.dictionary(word, word, { maxKeys: 2 }),
      denies: fc.subarray<string>(['a', 'b', 'c', 'd'], { maxLength: 1 }),
    });
    const none: { rewrites: Record<string, string>; denies: string[] } = { rewrites: {}, denies: [] };
    await fc.assert(
      fc.asyncProperty(
        fc.array(behaviour, { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.nat(3)),
        async (behaviours, delays) => {
          const run = async (delayed: boolean) => {
            const hooks = behaviours.map(({ group }, index) => testHook(`h${index}`, { group, line: index }));
            const { engine, asked } = testEngine(testSnapshot(hooks), async (name, { input }) => {
              const { rewrites, denies } = behaviours[Number(name.slice(1))] ?? none;
              const seen: string = JSON.parse(input).tool_input.command;
              for (let turn = delayed ? (delays.next().value ?? 0) : 0; turn > 0; turn -= 1)
                await Promise.resolve();
              if (denies.includes(seen)) return { exit: 2 };
              const next = Object.hasOwn(rewrites, seen) ? rewrites[seen] : undefined;
              return next === undefined ? {} : rewriteTo(next);
            });
            const decision = await engine.dispatch('PreToolUse', shellCall('a'), testContext);
            return { decision, asked, hooks };
          };
          const { decision, asked, hooks } = await run(false);
          const other = await run(true);
          expect(other.decision.verdict.kind).toBe(decision.verdict.kind);
          expect(other.decision.input).toEqual(decision.input);
          if (decision.verdict.kind === 'deny') return;
          const final = decision.input?.command ?? 'a';
          for (const [index] of hooks.entries()) {
            const judged = asked.some(
              (entry) =>
                entry.command === `h${index}` &&
                (entry.payload.tool_input as { command: string }).command === final,
            );
            const made = Object.values(behaviours[index]?.rewrites ?? {}).includes(final as string);
            expect(judged || made).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
