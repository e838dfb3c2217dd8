import { describe, expect, it } from 'vitest';
import { decodeNative } from './decode.ts';

const decode = (answer: object) => decodeNative('PermissionRequest', JSON.stringify(answer));

it.each([
  ['Welcome to my shell\n{"decision": "block", "reason": "no"}', true],
  ['{"decision": "block"', false],
  ['checked 3 files\n{"files": 3}', false],
  ['all is well', false],
])('remarks on an answer among other text, which stays text: %j', (stdout, remarked) => {
  const decoded = decodeNative('PreToolUse', stdout);
  expect('note' in decoded).toBe(remarked);
  if (remarked) expect(decoded).toMatchObject({ kind: 'text', text: stdout });
});

describe('a word in the wrong place', () => {
  it.each([
    ['permissionDecision', 'deny'],
    ['updatedInput', { command: 'ls' }],
    ['updatedToolOutput', 'redacted'],
    ['additionalContext', 'a note'],
    ['watchPaths', ['a']],
    ['worktreePath', '/elsewhere'],
  ])('is a broken answer that says where %s belongs [contract.output.broken-json-fails]', (key, value) => {
    expect(decode({ [key]: value })).toMatchObject({
      kind: 'broken',
      message: `${key} has no effect at the top level; put it into hookSpecificOutput`,
      answer: { verdict: { kind: 'none' } },
    });
  });

  it('never lets an allow pass for an input that the hook meant to change', () => {
    const decision = { behavior: 'allow', updatedInput: { command: 'ls' } };
    expect(decode({ hookSpecificOutput: { decision } })).toMatchObject({
      kind: 'broken',
      message: 'updatedInput has no effect inside decision; put it beside decision',
    });
  });

  it('does not hide a deny beside it [contract.output.tightening-only]', () => {
    const answer = { additionalContext: 'a note', decision: 'block', reason: 'not on Fridays' };
    expect(decode(answer)).toMatchObject({
      kind: 'broken',
      answer: { verdict: { kind: 'deny', reason: 'not on Fridays' } },
    });
  });

  it.each([null, 'deny', 7, []])('survives %j for a decision', (decision) => {
    expect(() => decode({ hookSpecificOutput: { decision } })).not.toThrow();
  });
});
