import { describe, expect, it } from 'vitest';
import { policyEventNames, type PolicyEventName } from '../../policy/catalogue.ts';
import type { Answer } from '../../policy/decision.ts';
import { decodeFromClaude } from './decode.ts';
import { claude } from './claude.ts';

const none: Answer = { verdict: { kind: 'none' } };
const said = (event: PolicyEventName, value: object) => decodeFromClaude(event, JSON.stringify(value));
const specific = (event: PolicyEventName, value: object) =>
  said(event, { hookSpecificOutput: { hookEventName: event, ...value } });

describe('permissionDecision on PreToolUse', () => {
  it.each([
    [
      { permissionDecision: 'deny', permissionDecisionReason: 'no' },
      { kind: 'deny', reason: 'no' },
    ],
    [{ permissionDecision: 'deny' }, { kind: 'deny', reason: '' }],
    [
      { permissionDecision: 'ask', permissionDecisionReason: 'sure?' },
      { kind: 'ask', reason: 'sure?' },
    ],
    [{ permissionDecision: 'allow' }, { kind: 'allow' }],
  ])('%j is heard [contract.output.permission-decision]', (output, verdict) => {
    expect(specific('PreToolUse', output)).toEqual({ kind: 'answer', answer: { verdict } });
  });

  it('defer is an ask, so that a call nobody may put off is not let through', () => {
    expect(specific('PreToolUse', { permissionDecision: 'defer' })).toMatchObject({
      kind: 'answer',
      answer: { verdict: { kind: 'ask' } },
      note: expect.stringContaining('defer counts as ask'),
    });
  });

  it('any other word is broken', () => {
    expect(specific('PreToolUse', { permissionDecision: 'block' })).toMatchObject({
      kind: 'broken',
      message: 'permissionDecision is "block"; it can be "allow", "deny", "ask" or "defer"',
    });
  });
});

describe('decision at the top', () => {
  it.each<[PolicyEventName, Answer['verdict']]>([
    ['PreToolUse', { kind: 'deny', reason: 'no' }],
    ['PostToolUse', { kind: 'deny', reason: 'no' }],
    ['PostToolUseFailure', { kind: 'deny', reason: 'no' }],
    ['UserPromptSubmit', { kind: 'deny', reason: 'no' }],
    ['PreCompact', { kind: 'deny', reason: 'no' }],
    ['ConfigChange', { kind: 'deny', reason: 'no' }],
    ['TaskCreated', { kind: 'deny', reason: 'no' }],
    ['TaskCompleted', { kind: 'deny', reason: 'no' }],
    ['WorktreeCreate', { kind: 'deny', reason: 'no' }],
    ['Elicitation', { kind: 'deny', reason: 'no' }],
    ['Stop', { kind: 'continue', reason: 'no' }],
    ['SubagentStop', { kind: 'continue', reason: 'no' }],
    ['TeammateIdle', { kind: 'continue', reason: 'no' }],
  ])('block of %s is %j', (event, verdict) => {
    expect(said(event, { decision: 'block', reason: 'no' })).toEqual({ kind: 'answer', answer: { verdict } });
  });

  it.each<PolicyEventName>(['SessionStart', 'SessionEnd', 'Notification', 'SubagentStart', 'PostCompact'])(
    'block of %s blocks nothing, as in that format',
    (event) => {
      expect(said(event, { decision: 'block', reason: 'no' })).toEqual({
        kind: 'answer',
        answer: none,
        note: `${event} has nothing to block`,
      });
    },
  );

  it('a Stop block without a reason still sends the agent back', () => {
    expect(said('Stop', { decision: 'block' })).toMatchObject({ answer: { verdict: { kind: 'continue' } } });
  });

  it('the deprecated approve allows a call, and lets a Stop stop', () => {
    expect(said('PreToolUse', { decision: 'approve', reason: 'fine' })).toEqual({
      kind: 'answer',
      answer: { verdict: { kind: 'allow', reason: 'fine' } },
    });
    expect(said('Stop', { decision: 'approve' })).toEqual({ kind: 'answer', answer: none });
  });

  it('any other word is broken, and what stands beside it still tightens [contract.output.broken-json-fails]', () => {
    expect(said('PreToolUse', { decision: 'deny', continue: false, stopReason: 'enough' })).toEqual({
      kind: 'broken',
      message: 'decision is "deny"; it can only be "block"',
      answer: { verdict: { kind: 'none' }, halt: { stopReason: 'enough' } },
    });
  });
});

describe('PermissionRequest', () => {
  it.each([
    [{ behavior: 'allow' }, { verdict: { kind: 'allow' } }],
    [
      { behavior: 'allow', updatedInput: { command: 'ls' } },
      { verdict: { kind: 'allow' }, updatedInput: { command: 'ls' } },
    ],
    [{ behavior: 'deny', message: 'no' }, { verdict: { kind: 'deny', reason: 'no' } }],
    [
      { behavior: 'deny', message: 'no', interrupt: true },
      { verdict: { kind: 'deny', reason: 'no' }, halt: { stopReason: 'no' } },
    ],
  ])('decision %j', (decision, answer) => {
    expect(specific('PermissionRequest', { decision })).toEqual({ kind: 'answer', answer });
  });

  it('does not write rules, and says so', () => {
    const decision = {
      behavior: 'allow',
      updatedPermissions: [{ type: 'setMode', mode: 'bypassPermissions' }],
    };
    expect(specific('PermissionRequest', { decision })).toEqual({
      kind: 'answer',
      answer: { verdict: { kind: 'allow' } },
      note: 'updatedPermissions is not applied: hooks do not write rules',
    });
  });

  it('exit 2 is no verdict there', () => {
    expect(claude.exitTwo('PermissionRequest')).toBe('failure');
  });
});

describe('the other words', () => {
  it('continue false halts where that format lets it, and is noted elsewhere [contract.output.continue-false]', () => {
    expect(said('PreToolUse', { continue: false, stopReason: 'enough' })).toEqual({
      kind: 'answer',
      answer: { ...none, halt: { stopReason: 'enough' } },
    });
    expect(said('PreCompact', { continue: false })).toMatchObject({ answer: none, note: expect.any(String) });
  });

  it.each<[PolicyEventName, object, object]>([
    ['UserPromptSubmit', { additionalContext: 'c' }, { ...none, additionalContext: 'c' }],
    [
      'SessionStart',
      { additionalContext: 'c', watchPaths: [] },
      { ...none, additionalContext: 'c', watchPaths: [] },
    ],
    ['SubagentStart', { additionalContext: 'c' }, { ...none, additionalContext: 'c' }],
    ['PostToolUse', { updatedToolOutput: 'short' }, { ...none, updatedToolOutput: 'short' }],
    [
      'PostToolUse',
      { updatedToolOutput: { stdout: 'a', stderr: 'b' } },
      { ...none, updatedToolOutput: 'a\nb' },
    ],
    [
      'PostToolUse',
      { updatedMCPToolOutput: [{ type: 'text', text: 'a' }] },
      { ...none, updatedToolOutput: 'a' },
    ],
    ['Stop', { additionalContext: 'look again' }, { verdict: { kind: 'continue', reason: 'look again' } }],
    [
      'PermissionDenied',
      { retry: true },
      { ...none, additionalContext: 'A hook says that this call may be tried again.' },
    ],
    ['WorktreeCreate', { worktreePath: '/w' }, { ...none, worktreePath: '/w' }],
    [
      'Elicitation',
      { action: 'accept', content: { ok: true } },
      { ...none, elicitation: { action: 'accept', content: { ok: true } } },
    ],
    ['Elicitation', { action: 'cancel' }, { ...none, elicitation: { action: 'cancel' } }],
    [
      'ElicitationResult',
      { action: 'decline' },
      { verdict: { kind: 'deny', reason: 'an ElicitationResult hook answered decline' } },
    ],
    ['ElicitationResult', { action: 'accept' }, none],
  ])('%s %j', (event, output, answer) => {
    expect(specific(event, output)).toEqual({ kind: 'answer', answer });
  });

  it('messages reach the user', () => {
    expect(said('PreToolUse', { systemMessage: 'look here', suppressOutput: true })).toEqual({
      kind: 'answer',
      answer: { ...none, systemMessage: 'look here', suppressOutput: true },
    });
  });

  it('hookSpecificOutput may leave out the name of its event', () => {
    const output = { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } };
    expect(said('PreToolUse', output)).toEqual({
      kind: 'answer',
      answer: { verdict: { kind: 'deny', reason: 'no' } },
    });
  });

  it('hookSpecificOutput of another event is broken, and only a no in it counts', () => {
    const output = { hookSpecificOutput: { hookEventName: 'Stop', permissionDecision: 'deny' } };
    expect(said('PreToolUse', output)).toEqual({
      kind: 'broken',
      message: 'hookSpecificOutput.hookEventName is "Stop", but this is PreToolUse',
      answer: { verdict: { kind: 'deny', reason: '' } },
    });
  });
});

describe('the short form of model hooks', () => {
  it.each<[PolicyEventName, object, Answer['verdict']]>([
    ['PreToolUse', { ok: false, reason: 'no' }, { kind: 'deny', reason: 'no' }],
    ['Stop', { ok: false, reason: 'tests are red' }, { kind: 'continue', reason: 'tests are red' }],
    ['Stop', { ok: false, reason: 'no way', impossible: true }, { kind: 'none' }],
    ['PermissionRequest', { ok: false, reason: 'no' }, { kind: 'none' }],
    ['PreToolUse', { ok: true }, { kind: 'none' }],
  ])('%s %j', (event, value, verdict) => {
    expect(said(event, value)).toMatchObject({ kind: 'answer', answer: { verdict } });
  });

  it('is not seen in the status that some program prints', () => {
    expect(said('PreToolUse', { ok: false, reason: 'no', took: 12 })).toEqual({
      kind: 'answer',
      answer: none,
    });
  });
});

describe('what is printed', () => {
  const deny = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}';
  const allow = deny.replace('deny', 'allow');

  it.each([
    ['nothing', '', ''],
    ['text', ' hello \n', 'hello'],
    ['log lines of JSON', '{"level":"info"}\n{"level":"warn"}', '{"level":"info"}\n{"level":"warn"}'],
    ['text with braces in it', 'a {b} c', 'a {b} c'],
  ])('%s is text', (_what, stdout, text) => {
    expect(decodeFromClaude('PreToolUse', stdout)).toEqual({ kind: 'text', text });
  });

  it.each([
    ['a greeting before it', `Welcome!\n${deny}\n`],
    ['a greeting before a pretty one', `Welcome!\n${JSON.stringify(JSON.parse(deny), null, 2)}`],
    ['two objects', `{"log":1}\n${deny}`],
  ])('a deny with %s is broken and denies', (_what, stdout) => {
    expect(decodeFromClaude('PreToolUse', stdout)).toMatchObject({
      kind: 'broken',
      answer: { verdict: { kind: 'deny' } },
    });
  });

  it('an allow among other text may be a quotation: it is broken, so it does not count', () => {
    expect(decodeFromClaude('PreToolUse', `the model wrote:\n${allow}`)).toMatchObject({ kind: 'broken' });
  });

  it('half an object is broken', () => {
    expect(decodeFromClaude('PreToolUse', '{"decision": "block')).toMatchObject({
      kind: 'broken',
      message: 'stdout starts with { but is not JSON',
    });
  });

  it.each([
    ['its last line', 'Preparing…\n\u001b[32m/home/you/trees/a b\u001b[0m\n', '/home/you/trees/a b'],
    ['one line', '/w', '/w'],
  ])('a worktree hook prints the path on %s', (_what, stdout, worktreePath) => {
    expect(decodeFromClaude('WorktreeCreate', stdout)).toEqual({
      kind: 'answer',
      answer: { ...none, worktreePath },
    });
  });

  it('a worktree hook that only watches leaves the place to the program', () => {
    expect(decodeFromClaude('WorktreeCreate', ' \n')).toEqual({ kind: 'text', text: '' });
  });

  it.each(['trees/a', '/home/you/../a'])('refuses the worktree path %s', (stdout) => {
    expect(decodeFromClaude('WorktreeCreate', stdout)).toMatchObject({ kind: 'broken' });
  });
});

it.each(policyEventNames)('%s gives a value for any bytes', (event) => {
  for (const stdout of [
    '{}',
    '{"decision":7}',
    '{"hookSpecificOutput":[]}',
    '[]',
    'null',
    '{"continue":"no"}',
  ]) {
    expect(['answer', 'text', 'broken']).toContain(decodeFromClaude(event, stdout).kind);
  }
});

it.each<['deny' | 'continue' | 'failure', readonly PolicyEventName[]]>([
  [
    'deny',
    [
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'UserPromptSubmit',
      'PreCompact',
      'ConfigChange',
      'TaskCreated',
      'TaskCompleted',
      'WorktreeCreate',
      'WorktreeRemove',
      'Elicitation',
      'ElicitationResult',
    ],
  ],
  ['continue', ['Stop', 'SubagentStop', 'TeammateIdle']],
])('exit 2 means %s on exactly these events', (means, events) => {
  expect(policyEventNames.filter((event) => claude.exitTwo(event) === means)).toEqual(events);
});
