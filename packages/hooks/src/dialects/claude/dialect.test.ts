// The dialect inside the engine: what a hook of that format gets and what its answer comes to.
import { describe, expect, it } from 'vitest';
import { failureSentence } from '../../policy/judge.ts';
import { policyCatalogue, type PolicyEventName } from '../../policy/catalogue.ts';
import type { RunRequest } from '../../runners/runner.ts';
import {
  shellCall,
  type TableAnswer,
  testContext,
  testEngine,
  testHook,
  testSnapshot,
} from '../../testing/table-engine.ts';
import { alsoAfterCompaction } from './after-compaction.ts';
import { compileClaudeMatcher } from './matcher.ts';

function claudeHook(event: PolicyEventName, matcher?: string, more: Parameters<typeof testHook>[1] = {}) {
  const compiled = compileClaudeMatcher(event, matcher);
  if (!compiled.ok) throw new Error(compiled.message);
  return { ...testHook('claude', { event, ...more }), dialect: 'claude', matcher: compiled.matcher } as const;
}

/** Dispatches the sample of an event to one hook of that format. */
async function ask(event: PolicyEventName, answer: TableAnswer, matcher?: string) {
  const { engine, asked } = testEngine(testSnapshot([claudeHook(event, matcher)]), () => answer);
  const decision = await engine.dispatch(event, policyCatalogue[event].example, testContext);
  return { decision, asked, outcome: decision.reports[0]!.outcome };
}

const deny = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'no',
  },
};
const allow = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };

describe('exit codes', () => {
  it.each([0, 1, 126, 127])('JSON decides alone with exit code %i', async (exit) => {
    const { decision, outcome } = await ask('PreToolUse', { json: deny, exit, stderr: 'noise' });
    expect(decision.verdict).toMatchObject({ kind: 'deny', reasons: [{ text: 'no' }] });
    expect(outcome.kind).toBe('blocked');
  });

  it('also an allow', async () => {
    expect((await ask('PreToolUse', { json: allow, exit: 1 })).decision.verdict.kind).toBe('allow');
  });

  it('2 wins over an allow, with stderr as the reason [koder.exit.two-blocks]', async () => {
    const { decision } = await ask('PreToolUse', { json: allow, exit: 2, stderr: 'not this one' });
    expect(decision.verdict).toMatchObject({ kind: 'deny', reasons: [{ text: 'not this one' }] });
  });

  it('2 blocks whatever stdout is', async () => {
    const { decision } = await ask('PreToolUse', { stdout: '{"decision":', exit: 2, stderr: 'no' });
    expect(decision.verdict.kind).toBe('deny');
  });

  it('2 on Stop sends the agent back to work', async () => {
    const { decision } = await ask('Stop', { exit: 2, stderr: 'tests are red' });
    expect(decision.verdict).toMatchObject({ kind: 'continue', reasons: [{ text: 'tests are red' }] });
  });

  it.each<PolicyEventName>(['SessionStart', 'PermissionRequest', 'SubagentStart', 'Notification'])(
    '2 on %s blocks nothing and is visible as a failure',
    async (event) => {
      const { decision, outcome } = await ask(event, { exit: 2, stderr: 'broken' });
      expect(decision.verdict.kind).toBe('none');
      expect(outcome).toEqual({ kind: 'failed', cause: 'exit-code', message: 'exit code 2: broken' });
    },
  );

  it('another code without JSON is a failure that lets the call go on', async () => {
    const { decision } = await ask('PreToolUse', { exit: 1, stderr: 'oops' });
    expect(decision.verdict.kind).toBe('none');
    expect(failureSentence(decision.reports[0]!)).toContain('exit code 1: oops');
  });
});

describe('what comes back', () => {
  it('is the input in our own words, and other hooks are asked about it [contract.rewrite.asked-again]', async () => {
    const updatedInput = { command: 'ls -l', description: 'List', timeout: 5000 };
    const native = testHook('native');
    const { engine, asked } = testEngine(
      testSnapshot([claudeHook('PreToolUse', 'Bash'), native]),
      (command) =>
        command === 'claude'
          ? { json: { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } } }
          : {},
    );
    const call = shellCall('ls');
    const decision = await engine.dispatch(
      'PreToolUse',
      { ...call, tool_input: { ...call.tool_input, cwd: 'src' } },
      testContext,
    );
    expect(decision.input).toEqual({ command: 'ls -l', timeout: 5, cwd: 'src' });
    expect(asked.filter(({ command }) => command === 'native').at(-1)?.payload.tool_input).toEqual(
      decision.input,
    );
  });

  it('is no change when a hook hands back what it was shown', async () => {
    const { engine } = testEngine(testSnapshot([claudeHook('PreToolUse')]), (_command, { input }) => ({
      json: {
        hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: JSON.parse(input).tool_input },
      },
    }));
    const payload = { tool_name: 'write_file', tool_input: { path: 'a.ts', content: '' }, input_revision: 0 };
    const { input, rewrittenBy } = await engine.dispatch('PreToolUse', payload, testContext);
    expect([input, rewrittenBy]).toEqual([undefined, []]);
  });

  it('is text for the model where that format takes plain stdout for it', async () => {
    expect((await ask('SessionStart', { stdout: 'hello\n' })).decision.contexts).toMatchObject([
      { text: 'hello' },
    ]);
    expect((await ask('PreToolUse', { stdout: 'hello\n' })).decision.contexts).toEqual([]);
  });
});

describe('what it gets', () => {
  it.each([
    ['prompt_input_exit', 1],
    ['clear', 0],
  ])('SessionEnd only under the matcher that fits: %s', async (matcher, times) => {
    expect((await ask('SessionEnd', {}, matcher)).asked).toHaveLength(times);
  });

  it('Elicitation by the name of the server', async () => {
    expect((await ask('Elicitation', {}, 'tickets')).asked).toHaveLength(1);
    expect((await ask('Elicitation', {}, 'mail')).asked).toHaveLength(0);
  });

  it('the path of a transcript of its own, the session log staying with hooks of ours', async () => {
    const { engine, asked } = testEngine(
      testSnapshot([claudeHook('PreToolUse'), testHook('native')]),
      () => ({}),
      { transcripts: { claude: async () => '/session/transcript.jsonl' } },
    );
    await engine.dispatch('PreToolUse', shellCall('ls'), {
      ...testContext,
      transcriptPath: '/session/log.jsonl',
    });
    const paths = asked.map(({ command, payload }) => [command, payload.transcript_path]);
    expect(Object.fromEntries(paths)).toEqual({
      claude: '/session/transcript.jsonl',
      native: '/session/log.jsonl',
    });
  });

  it('an empty path where no transcript is kept', async () => {
    expect((await ask('PreToolUse', {})).asked[0]?.payload.transcript_path).toBe('');
  });

  it('the variables of that format, and none of another agent that started this program', async () => {
    let request: RunRequest | undefined;
    const inherited = {
      CLAUDE_ENV_FILE: '/other',
      CLAUDE_PLUGIN_ROOT: '/other',
      CLAUDE_PROJECT_DIR: '/other',
      HOME: '/h',
    };
    const { engine } = testEngine(
      testSnapshot([claudeHook('SessionStart')]),
      (_command, given) => {
        request = given;
        return {};
      },
      {
        environment: inherited,
        envFiles: { create: async () => '/session/env-1', absorb: async () => [] },
      },
    );
    await engine.dispatch('SessionStart', { source: 'startup' }, testContext);
    expect(request?.environment).toMatchObject({
      CLAUDECODE: '1',
      CLAUDE_PROJECT_DIR: '/project',
      CLAUDE_CODE_SESSION_ID: 'session-1',
      CLAUDE_ENV_FILE: '/session/env-1',
      CODEY_ENV_FILE: '/session/env-1',
      HOME: '/h',
    });
    expect(request?.environment).not.toHaveProperty('CLAUDE_PLUGIN_ROOT');
  });

  it('nothing after a failed call, and once is not spent by that', async () => {
    const { engine, asked } = testEngine(
      testSnapshot([claudeHook('PostToolUse', undefined, { once: true })]),
    );
    const after = { ...shellCall('ls'), result: '', failed: true };
    await engine.dispatch('PostToolUse', after, testContext);
    expect(asked).toEqual([]);
    await engine.dispatch('PostToolUse', { ...after, failed: false }, testContext);
    expect(asked).toHaveLength(1);
  });
});

describe('a SessionStart hook after a compaction', () => {
  const dispatch = (answer: TableAnswer) => {
    const again = alsoAfterCompaction(claudeHook('SessionStart', 'startup|compact'));
    const { engine, asked } = testEngine(testSnapshot([again!]), () => answer);
    const decided = engine.dispatch('PostCompact', policyCatalogue.PostCompact.example, testContext);
    return { decided, asked };
  };

  it('is asked at PostCompact in its own terms, and its text reaches the model', async () => {
    const { decided, asked } = dispatch({ stdout: 'Remember the cart.\n' });
    expect((await decided).contexts).toMatchObject([{ text: 'Remember the cart.' }]);
    expect(asked[0]?.payload).toMatchObject({ hook_event_name: 'SessionStart', source: 'compact' });
    expect(asked[0]?.payload).not.toHaveProperty('trigger');
  });

  it('answers as a SessionStart hook does', async () => {
    const output = { hookEventName: 'SessionStart', additionalContext: 'Remember the cart.' };
    const { decided } = dispatch({ json: { hookSpecificOutput: output } });
    expect((await decided).contexts).toMatchObject([{ text: 'Remember the cart.' }]);
  });
});
