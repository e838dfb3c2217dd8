import { describe, expect, it } from 'vitest';
import { native } from '../dialects/native/index.ts';
import type { RunEnd } from '../runners/runner.ts';
import { testHook } from '../testing/table-engine.ts';
import type { PolicyEventName } from './catalogue.ts';
import { judge } from './judge.ts';
import { outcomeKinds } from './outcome.ts';

function judged(
  end: RunEnd,
  printed: { readonly stdout?: string; readonly stderr?: string; readonly cut?: boolean } = {},
  event: PolicyEventName = 'PreToolUse',
  onFailure: 'pass' | 'block' = 'pass',
) {
  const hook = testHook('./guard.sh', { event, onFailure, line: 7 });
  const { outcome, answer } = judge(hook, native, {
    end,
    stdout: printed.stdout ?? '',
    stderr: printed.stderr ?? '',
    stdoutTruncated: printed.cut ?? false,
    durationMs: 1,
  });
  return { outcome, verdict: answer.verdict, answer };
}

const exit = (code: number): RunEnd => ({ kind: 'exited', code });
const json = (value: unknown) => ({ stdout: JSON.stringify(value) });

describe('exit codes', () => {
  it('0 is success, with nothing said or with an answer [koder.exit.zero-succeeds] [koder.output.specific-fields]', () => {
    expect(judged(exit(0))).toMatchObject({ outcome: { kind: 'passed' }, verdict: { kind: 'none' } });
    expect(judged(exit(0), json({ hookSpecificOutput: { permissionDecision: 'allow' } }))).toMatchObject({
      outcome: { kind: 'decided' },
      verdict: { kind: 'allow' },
    });
  });

  it('2 blocks whatever is on stdout and even if nothing is printed [koder.exit.two-blocks]', () => {
    for (const stdout of ['', 'text', '{"half', '{"hookSpecificOutput":{"permissionDecision":"allow"}}']) {
      expect(judged(exit(2), { stdout }).verdict.kind).toBe('deny');
    }
    expect(judged(exit(2)).verdict).toEqual({
      kind: 'deny',
      reason: 'blocked by PreToolUse hook guard.sh, settings.json:7',
    });
  });

  it('2 takes its reason from the JSON, else from stderr [koder.exit.two-stderr-reason]', () => {
    const both = { ...json({ decision: 'block', reason: 'from JSON' }), stderr: 'from stderr' };
    expect(judged(exit(2), both).verdict).toEqual({ kind: 'deny', reason: 'from JSON' });
    expect(judged(exit(2), { stderr: 'from stderr\n' }).verdict).toEqual({
      kind: 'deny',
      reason: 'from stderr',
    });
  });

  it.each([1, 3, 126, 127, 255])(
    '%d is a failure that blocks nothing [koder.exit.other-does-not-block] [koder.trouble.no-signal-no-block]',
    (code) => {
      expect(judged(exit(code), { stderr: 'oops' })).toMatchObject({
        outcome: { kind: 'failed', cause: 'exit-code' },
        verdict: { kind: 'none' },
      });
    },
  );

  it.each([
    ['jq: command not found\nand more', 'jq: command not found'],
    [
      "node:internal/modules/esm/resolve:873\n  throw new ERR();\n  ^\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'\n    at y",
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'",
    ],
    [
      'Traceback (most recent call last):\n  File "guard.py", line 3, in <module>\n    x["y"]\nKeyError: \'y\'\n',
      "KeyError: 'y'",
    ],
    ['guard.js:3\nnothing that names an error', 'guard.js:3'],
  ])('of a crash say what happened, not where it was thrown: %j', (stderr, said) => {
    expect(judged(exit(1), { stderr }).outcome).toMatchObject({ message: `exit code 1: ${said}` });
  });

  it('of a failed hook only what tightens still counts [contract.output.tightening-only]', () => {
    const ends: RunEnd[] = [
      exit(1),
      { kind: 'signalled', signal: 'SIGKILL' },
      { kind: 'timed-out', afterMs: 5 },
    ];
    for (const end of ends) {
      const said = (value: unknown) => judged(end, json(value)).answer;
      expect(said({ decision: 'block', reason: 'no' }).verdict).toEqual({ kind: 'deny', reason: 'no' });
      expect(said({ hookSpecificOutput: { permissionDecision: 'ask' } }).verdict.kind).toBe('ask');
      expect(said({ continue: false, stopReason: 'stop' }).halt).toEqual({ stopReason: 'stop' });
      expect(said({ hookSpecificOutput: { permissionDecision: 'allow', updatedInput: {} } })).toEqual({
        verdict: { kind: 'none' },
      });
    }
  });
});

describe('answers', () => {
  it('block at the top level with a reason [koder.output.top-level-block]', () => {
    expect(judged(exit(0), json({ decision: 'block', reason: 'not now' }))).toMatchObject({
      outcome: { kind: 'blocked', reason: 'not now' },
      verdict: { kind: 'deny', reason: 'not now' },
    });
  });

  it('deny on every event that can block [koder.decision.deny-blocks-elsewhere]', () => {
    const answer = json({ hookSpecificOutput: { decision: { behavior: 'deny', message: 'no' } } });
    for (const event of ['UserPromptSubmit', 'Stop', 'SessionStart', 'PreCompact', 'ConfigChange'] as const) {
      expect(judged(exit(0), answer, event).verdict).toEqual({ kind: 'deny', reason: 'no' });
    }
  });

  it('that are cut at 1 MiB are not read [contract.cap.parsed-output]', () => {
    const cut = { ...json({ hookSpecificOutput: { permissionDecision: 'allow' } }), cut: true };
    expect(judged(exit(0), cut)).toMatchObject({
      outcome: { kind: 'failed', cause: 'output' },
      verdict: { kind: 'none' },
    });
  });

  it('without any known key pass', () => {
    expect(judged(exit(0), json({ result: 'fine', count: 3 })).outcome).toEqual({ kind: 'passed' });
  });

  it.each([
    [{ decision: 'deny' }],
    [{ decision: 1 }],
    [{ continue: 'no' }],
    [{ hookSpecificOutput: 'deny' }],
    [{ hookSpecificOutput: { permissionDecision: 'maybe' } }],
    [{ hookSpecificOutput: { decision: { behavior: 'block' } } }],
    [{ hookSpecificOutput: { updatedInput: 'ls' } }],
    [{ hookSpecificOutput: { hookEventName: 'PostToolUse' } }],
  ])('with a value outside its set are failures: %j [contract.output.broken-json-fails]', (value) => {
    expect(judged(exit(0), json(value)).outcome).toMatchObject({ kind: 'failed', cause: 'output' });
  });
});

it('a broken hook blocks where it says so, and says why [contract.failure.on-failure-block]', () => {
  expect(judged(exit(1), { stderr: 'no jq' }, 'PreToolUse', 'block').verdict).toEqual({
    kind: 'deny',
    reason: 'PreToolUse hook guard.sh, settings.json:7 failed: exit code 1: no jq',
  });
});

it('the outcomes are a closed set [contract.outcome.closed-set]', () => {
  expect(outcomeKinds).toEqual([
    'passed',
    'decided',
    'blocked',
    'failed',
    'timed-out',
    'cancelled',
    'skipped',
  ]);
});
