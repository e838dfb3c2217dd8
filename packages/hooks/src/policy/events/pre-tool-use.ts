// Asked before a tool call runs: the one place where its input may still change.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';
import { toolCallId, toolInput, toolName } from './fields.ts';

export const PreToolUse = definePolicyEvent({
  name: 'PreToolUse',
  family: 'Tool lifecycle',
  summary: 'Before each tool call, in every permission mode and for every agent.',
  get payload() {
    return {
      tool_name: toolName(),
      tool_input: toolInput(),
      tool_call_id: toolCallId(),
      input_revision: v.pipe(
        v.number(),
        v.integer(),
        v.minValue(0),
        v.description('0 for the input the model gave, counting up each time a hook rewrote it.'),
      ),
    };
  },
  matchOn: { what: 'tool name', value: (payload) => payload.tool_name },
  inRun: true,
  aboutToolCall: true,
  rewrites: true,
  groups: 'side-by-side',
  block: 'The call does not run and the model gets the reason.',
  output: ['permissionDecision', 'updatedInput', 'additionalContext'],
  textIsContext: false,
  envFile: false,
  example: {
    tool_name: 'run_shell',
    tool_input: { command: 'git push origin main' },
    tool_call_id: 'call_7',
    input_revision: 0,
  },
  since: '0.1.0',
});
