// Asked when a tool call failed, before PostToolUse.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';
import { toolCallId, toolInput, toolName } from './fields.ts';

export const PostToolUseFailure = definePolicyEvent({
  name: 'PostToolUseFailure',
  family: 'Tool lifecycle',
  summary: 'When a tool raises an error or a shell command exits non-zero, before PostToolUse.',
  get payload() {
    return {
      tool_name: toolName(),
      tool_input: toolInput(),
      tool_call_id: toolCallId(),
      error: v.pipe(v.string(), v.description('The error text; for a shell command its output.')),
    };
  },
  matchOn: { what: 'tool name', value: (payload) => payload.tool_name },
  inRun: true,
  aboutToolCall: true,
  rewrites: false,
  groups: 'in-order',
  block: 'The model gets the reason beside the error, which is never lost.',
  output: ['additionalContext'],
  textIsContext: false,
  envFile: false,
  example: {
    tool_name: 'run_shell',
    tool_input: { command: 'npm test' },
    tool_call_id: 'call_9',
    error: '1 test failed: adds tax to the total (exit code 1)',
  },
  since: '0.1.0',
});
