import { describe, expect, it } from 'vitest';
import { shellCall, testContext, testEngine, testHook, testSnapshot } from '../testing/table-engine.ts';

const deny = (message: string) => ({ hookSpecificOutput: { decision: { behavior: 'deny', message } } });
const permission = (permissionDecision: string, rest: object = {}) => ({
  hookSpecificOutput: { permissionDecision, ...rest },
});

describe('what a dispatch guarantees', () => {
  it('asks nobody and says nothing where no hook is configured', async () => {
    const { engine, journal } = testEngine(testSnapshot([]));
    const decision = await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(decision).toEqual({
      verdict: { kind: 'none' },
      rewrittenBy: [],
      contexts: [],
      watchPaths: [],
      reports: [],
    });
    expect(journal).toMatchObject([{ kind: 'dispatch', event: 'PreToolUse', verdict: 'none', hooks: [] }]);
  });

  it('lets the strictest answer win whoever finishes first [contract.merge.strictest-wins] [contract.merge.reasons-kept]', async () => {
    const hooks = ['allow', 'deny', 'ask', 'deny-too'].map((name) => testHook(name));
    const finishing: Record<string, Promise<void>> = {};
    let open: () => void = () => {};
    finishing.deny = new Promise((resolve) => {
      open = resolve;
    });
    const { engine } = testEngine(testSnapshot(hooks), async (name) => {
      if (name === 'deny') await finishing.deny;
      if (name === 'deny-too') open();
      return { json: name === 'allow' || name === 'ask' ? permission(name) : deny(`${name} says no`) };
    });
    const { verdict } = await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(verdict).toMatchObject({
      kind: 'deny',
      reasons: [{ text: 'deny says no' }, { text: 'deny-too says no' }],
    });
  });

  it('runs the hooks of a group in order, each with the input so far, until one blocks [contract.run.group-in-order]', async () => {
    const group = 'one';
    const hooks = ['rewrite', 'look', 'block', 'never'].map((name) => testHook(name, { group }));
    const { engine, asked } = testEngine(testSnapshot(hooks), (name) => {
      if (name === 'rewrite') return { json: { hookSpecificOutput: { updatedInput: { command: 'ls -l' } } } };
      return name === 'block' ? { exit: 2, stderr: 'no' } : {};
    });
    const decision = await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(asked.map(({ command, payload }) => [command, payload.tool_input])).toEqual([
      ['rewrite', { command: 'ls' }],
      ['look', { command: 'ls -l' }],
      ['block', { command: 'ls -l' }],
    ]);
    expect(decision.verdict).toMatchObject({ kind: 'deny', reasons: [{ text: 'no' }] });
    expect(decision.reports.map((report) => report.outcome.kind)).toEqual([
      'decided',
      'passed',
      'blocked',
      'skipped',
    ]);
    expect(decision.reports[3]?.outcome).toEqual({ kind: 'skipped', why: 'group-ended' });
  });

  it('runs groups at once, but in config order where two could write one file [contract.run.groups-side-by-side]', async () => {
    const overlap = async (event: 'PreToolUse' | 'PostToolUse'): Promise<number> => {
      let running = 0;
      let most = 0;
      const { engine } = testEngine(
        testSnapshot([testHook('a', { event }), testHook('b', { event })]),
        async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running -= 1;
          return {};
        },
      );
      if (event === 'PreToolUse') await engine.dispatch(event, shellCall('ls'), testContext);
      else
        await engine.dispatch(
          event,
          { tool_name: 'run_shell', tool_input: {}, result: '', failed: false },
          testContext,
        );
      return most;
    };
    expect(await overlap('PreToolUse')).toBe(2);
    expect(await overlap('PostToolUse')).toBe(1);
  });

  it('gives every hook the same bytes [contract.stdin.same-bytes]', async () => {
    const inputs: string[] = [];
    const { engine } = testEngine(testSnapshot([testHook('a'), testHook('b')]), (_name, request) => {
      inputs.push(request.input);
      return {};
    });
    await engine.dispatch('PreToolUse', shellCall('echo "é\n"'), testContext);
    expect(inputs).toHaveLength(2);
    expect(inputs[0]).toBe(inputs[1]);
    expect(inputs[0]?.endsWith('}\n')).toBe(true);
    expect(inputs[0]?.indexOf('\n')).toBe((inputs[0]?.length ?? 0) - 1);
  });

  it('makes one environment for a hook, however often its runner looks at it', async () => {
    const seen: unknown[] = [];
    const { engine } = testEngine(testSnapshot([testHook('a'), testHook('b')]), (_name, request) => {
      const { environment } = request;
      seen.push(environment === request.environment, environment);
      return {};
    });
    await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect([seen[0], seen[2]]).toEqual([true, true]);
    // Each names its own run.
    expect(seen[1]).not.toEqual(seen[3]);
  });

  it('merges duplicates into the copy of the highest scope [contract.dedupe.highest-scope] [koder.scope.identical-once]', async () => {
    const first = testHook('guard', { scope: 'user', timeoutMs: 1_000 });
    const second = testHook('guard', { scope: 'project', timeoutMs: 9_000, onFailure: 'block' });
    let deadline = 0;
    const { engine, asked } = testEngine(testSnapshot([first, second]), (_name, request) => {
      deadline = request.deadlineMs;
      return { exit: 1 };
    });
    const once = await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(asked).toHaveLength(1);
    expect(deadline).toBe(9_000);
    expect(once.verdict.kind).toBe('deny');
    expect(once.reports[1]?.outcome).toEqual({ kind: 'skipped', why: 'duplicate' });
    await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(asked).toHaveLength(2);
  });

  it('does not let a copy that is kept from running hide one that runs [contract.dedupe.after-selection]', async () => {
    const kept = testHook('guard', { scope: 'user', matcher: 'write_file' });
    const runs = testHook('guard', { scope: 'project' });
    const { engine } = testEngine(testSnapshot([kept, runs]));
    const { reports } = await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(reports.map((report) => report.outcome)).toEqual([
      { kind: 'skipped', why: 'matcher' },
      { kind: 'passed' },
    ]);
  });

  it('spends `once` with the start, for parallel calls too [koder.once.one-per-session]', async () => {
    const { engine, asked } = testEngine(testSnapshot([testHook('greet', { once: true })]), () => ({
      exit: 1,
    }));
    const both = await Promise.all([
      engine.dispatch('PreToolUse', shellCall('ls'), testContext),
      engine.dispatch('PreToolUse', shellCall('ls'), testContext),
    ]);
    expect(asked).toHaveLength(1);
    expect(both.map((decision) => String(decision.reports[0]?.outcome.kind)).sort()).toEqual([
      'failed',
      'skipped',
    ]);
  });

  it('does not spend `once` on a hook that never started [contract.once.spent-by-start]', async () => {
    let spawns = 0;
    const runner = {
      async run() {
        spawns += 1;
        return {
          end: { kind: 'failed', cause: 'spawn', message: 'no more processes' } as const,
          stdout: '',
          stderr: '',
          stdoutTruncated: false,
          durationMs: 0,
        };
      },
    };
    const { engine } = testEngine(testSnapshot([testHook('greet', { once: true })]), undefined, {
      runners: { command: runner },
    });
    await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(spawns).toBe(2);
  });

  it('lets an async hook decide nothing, and brings its context later [contract.async.never-decides] [contract.async.context-next-turn]', async () => {
    const { engine } = testEngine(testSnapshot([testHook('slow', { async: true })]), () => ({
      exit: 2,
      json: { hookSpecificOutput: { additionalContext: 'the build broke' } },
    }));
    const decision = await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(decision.verdict.kind).toBe('none');
    await engine.close();
    expect(engine.takeLateContexts('another agent')).toEqual([]);
    expect(engine.takeLateContexts(testContext.agent.id)).toMatchObject([{ text: 'the build broke' }]);
    expect(engine.takeLateContexts()).toEqual([]);
  });

  it('never lets a cancelled gate look like one with nothing to say [contract.cancel.gate-stays-shut]', async () => {
    const stop = new AbortController();
    const { engine } = testEngine(testSnapshot([testHook('slow')]), () => {
      stop.abort();
      return { end: { kind: 'cancelled' } };
    });
    const decision = await engine.dispatch('PreToolUse', shellCall('ls'), {
      ...testContext,
      signal: stop.signal,
    });
    expect(decision.verdict).toEqual({ kind: 'cancelled' });
  });

  it('keeps the hooks of a call that began before a change of settings [contract.reload.frozen-call]', async () => {
    const { engine, asked } = testEngine(testSnapshot([testHook('old')]));
    const pinned = engine.pin();
    engine.use(testSnapshot([testHook('new')]));
    await pinned.dispatch('PreToolUse', shellCall('ls'), testContext);
    await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(asked.map((entry) => entry.command)).toEqual(['old', 'new']);
  });

  it('runs only managed hooks inside a hook [contract.depth.bounded]', async () => {
    const hooks = [testHook('managed', { scope: 'managed' }), testHook('user')];
    const { engine } = testEngine(testSnapshot(hooks), undefined, {}, 1);
    const { reports } = await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(reports.map((report) => report.outcome)).toEqual([
      { kind: 'passed' },
      { kind: 'skipped', why: 'depth' },
    ]);
  });

  it('shows and journals a failure, without what was printed [contract.failure.always-visible] [contract.journal.no-content]', async () => {
    const { engine, journal, notices } = testEngine(
      testSnapshot([testHook('python3 guard.py', { line: 12 })]),
      () => ({
        exit: 3,
        stderr: 'secret canary',
        stdout: 'canary',
      }),
    );
    await engine.dispatch('PreToolUse', shellCall('ls'), testContext);
    expect(notices).toEqual([
      {
        kind: 'failure',
        sentence: 'PreToolUse hook guard.py, settings.json:12 failed: exit code 3: secret canary',
      },
    ]);
    expect(journal.map((entry) => entry.kind)).toEqual(['dispatch', 'hook_error']);
    expect(JSON.stringify(journal)).not.toContain('canary');
  });

  it('asks functions like any other hook, in order after managed ones', async () => {
    const { engine, asked } = testEngine(testSnapshot([testHook('managed', { scope: 'managed' })]), () => ({
      json: permission('allow'),
    }));
    const undo = engine.on('PreToolUse', (payload) =>
      JSON.stringify(payload.tool_input).includes('push')
        ? { verdict: { kind: 'deny', reason: 'no pushes' } }
        : undefined,
    );
    const decision = await engine.dispatch('PreToolUse', shellCall('git push'), testContext);
    expect(decision.verdict).toMatchObject({ kind: 'deny', reasons: [{ text: 'no pushes' }] });
    expect(asked).toHaveLength(1);
    undo();
    expect((await engine.dispatch('PreToolUse', shellCall('git push'), testContext)).verdict.kind).toBe(
      'allow',
    );
  });
});

it('a matcher that is not decided in time lets its hooks run [contract.match.slow-runs]', async () => {
  const { engine } = testEngine(
    testSnapshot([testHook('guard', { matcher: '(?=(a+)+$)b|^(?:(a+)+)+\\1$' })]),
  );
  const payload = { ...shellCall('ls'), tool_name: `${'a'.repeat(60)}!` };
  const { reports } = await engine.dispatch('PreToolUse', payload, testContext);
  expect(reports.map(({ outcome }) => outcome.kind)).toEqual(['passed']);
});
