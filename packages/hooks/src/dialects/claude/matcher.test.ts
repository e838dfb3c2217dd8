import { describe, expect, it } from 'vitest';
import type { PolicyEventName } from '../../policy/catalogue.ts';
import { compileClaudeMatcher } from './matcher.ts';

function test(event: PolicyEventName, text: string | undefined, value: string): string {
  const compiled = compileClaudeMatcher(event, text);
  return compiled.ok ? compiled.matcher.test(value) : compiled.message;
}

describe('a matcher on tools', () => {
  it.each([
    ['missing', undefined, 'run_shell', 'yes'],
    ['empty', '', 'run_shell', 'yes'],
    ['a star', '*', 'run_shell', 'yes'],
    ['their name', 'Bash', 'run_shell', 'yes'],
    ['a name in another case', 'bash', 'run_shell', 'no'],
    ['our name', 'run_shell', 'run_shell', 'no'],
    ['a part of a name', 'Ba', 'run_shell', 'no'],
    ['a list', 'Edit|MultiEdit|Write', 'write_file', 'yes'],
    ['a list with commas and spaces', 'Edit, Write', 'write_file', 'yes'],
    ['a list without it', 'Edit|Write', 'read_file', 'no'],
    ['the new name of a renamed tool', 'Agent', 'spawn_agent', 'yes'],
    ['the old name of a renamed tool', 'Task', 'spawn_agent', 'yes'],
    ['a regular expression', 'Web.*', 'web_fetch', 'yes'],
    ['a regular expression anywhere in the name', 'rit.', 'write_file', 'yes'],
    ['an anchored one', '^(Edit|Write)$', 'edit_file', 'yes'],
    ['all tools of a server', 'mcp__tickets__.*', 'mcp__tickets__open', 'yes'],
    ['a server alone, which is an exact name', 'mcp__tickets', 'mcp__tickets__open', 'no'],
    ['a hyphenated name, which is exact too', 'mcp__a-b__c', 'mcp__a-b__c', 'yes'],
    ['a hyphenated name inside a longer one', 'code-reviewer', 'senior-code-reviewer', 'no'],
  ])('that is %s: %j on %s says %s', (_what, text, tool, answer) => {
    expect(test('PreToolUse', text, tool)).toBe(answer);
  });

  it('that is no expression is refused with its place', () => {
    expect(test('PreToolUse', '(Edit', 'edit_file')).toContain('is not a regular expression');
  });

  it.each([
    ['bash', { kind: 'warning', hint: 'did you mean "Bash"?' }],
    ['mcp__tickets', { kind: 'warning', hint: 'write "mcp__tickets__.*" for all tools of that server' }],
    ['WebSearch', { kind: 'never', reason: 'there is no tool WebSearch here' }],
  ])('%s gets a remark', (text, remark) => {
    expect(compileClaudeMatcher('PreToolUse', text)).toMatchObject({ ok: true, remark });
  });

  it.each(['Edit|MultiEdit', 'Bash', 'mcp__a__b', 'Notebook.*'])('%s gets none', (text) => {
    expect(compileClaudeMatcher('PreToolUse', text)).not.toHaveProperty('remark');
  });
});

it.each<[PolicyEventName, string, string, string]>([
  ['SessionStart', 'startup|resume|compact', 'startup', 'yes'],
  ['SessionStart', 'clear', 'startup', 'no'],
  ['SessionStart', 'compact', 'compact', 'yes'],
  ['SessionEnd', 'prompt_input_exit', 'exit', 'yes'],
  ['SessionEnd', 'other', 'signal', 'yes'],
  ['SessionEnd', 'clear', 'exit', 'no'],
  ['Notification', 'agent_needs_input', 'question', 'yes'],
  ['Notification', 'elicitation_dialog', 'elicitation', 'yes'],
  ['Notification', 'permission_prompt', 'question', 'no'],
  ['ConfigChange', 'local_settings', 'project_settings', 'yes'],
  ['ConfigChange', 'user_settings', 'project_settings', 'no'],
  ['FileChanged', '.env|.envrc', '.env', 'yes'],
  ['FileChanged', '.env', 'aenv', 'no'],
  ['SubagentStop', 'my-plugin:reviewer', 'my-plugin:reviewer', 'yes'],
  // Nobody can tell the kind of error, so the hook runs.
  ['StopFailure', 'rate_limit', 'anything', 'unknown'],
  // Nothing to be tested there: a matcher is passed over.
  ['TaskCreated', 'whatever', '17', 'yes'],
  ['Stop', 'whatever', '', 'yes'],
])('%s: %j on %j says %s', (event, text, value, answer) => {
  expect(test(event, text, value)).toBe(answer);
});

it.each<[PolicyEventName, string, string]>([
  ['SessionStart', 'fork', 'the source is never fork here'],
  [
    'Notification',
    'idle_prompt|auth_success',
    'the notification type is never idle_prompt or auth_success here',
  ],
])('%s with the matcher %s never fires', (event, text, reason) => {
  expect(compileClaudeMatcher(event, text)).toMatchObject({ remark: { kind: 'never', reason } });
});
