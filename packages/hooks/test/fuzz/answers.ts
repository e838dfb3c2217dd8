// What hooks print, nearly right.
import fc from 'fast-check';
import { policyEventNames } from '../../src/policy/catalogue.ts';
import { almost, anyText, jsonOf, mangled } from './arbitraries.ts';

const reason = fc.oneof(fc.constantFrom('no', '', ' '), anyText);
const input = jsonOf(['command', 'path'], ['ls']);

const specific = almost({
  hookEventName: fc.constantFrom(...policyEventNames),
  decision: almost({
    behavior: fc.constantFrom('allow', 'deny', 'ask'),
    message: reason,
    interrupt: fc.boolean(),
    updatedInput: input,
    updatedPermissions: fc.array(input, { maxLength: 2 }),
  }),
  permissionDecision: fc.constantFrom('allow', 'deny', 'ask', 'defer', 'block'),
  permissionDecisionReason: reason,
  updatedInput: fc.oneof(input, fc.constant({ command: 'ls' })),
  updatedToolOutput: fc.oneof(reason, input),
  updatedMCPToolOutput: input,
  additionalContext: reason,
  watchPaths: fc.array(fc.constantFrom('a', '/b', ''), { maxLength: 2 }),
  worktreePath: fc.constantFrom('/x', '', '../x'),
  action: fc.constantFrom('accept', 'decline', 'cancel', 'ok'),
  content: input,
  retry: fc.boolean(),
});

const answer = almost({
  decision: fc.constantFrom('block', 'approve', 'continue', 'allow', 'deny'),
  reason,
  continue: fc.boolean(),
  stopReason: reason,
  systemMessage: reason,
  suppressOutput: fc.boolean(),
  ok: fc.boolean(),
  hookSpecificOutput: specific,
  unknown: input,
}).map((value) => JSON.stringify(value));

export const hookOutput: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: answer },
  { weight: 2, arbitrary: mangled(answer) },
  { weight: 1, arbitrary: anyText },
);
