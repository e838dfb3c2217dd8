// Asked when a call needs approval, before a person is: a hook may answer in their place.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';
import { toolCallId, toolInput, toolName } from './fields.ts';

export const PermissionRequest = definePolicyEvent({
  name: 'PermissionRequest',
  family: 'Tool lifecycle',
  summary: 'When a guarded tool call needs approval, before the prompt opens.',
  get payload() {
    return {
      tool_name: toolName(),
      tool_input: toolInput(),
      tool_call_id: toolCallId(),
      reason: v.pipe(
        v.string(),
        v.description('Why the call needs approval: the mode, the rule or the hook that asks.'),
      ),
    };
  },
  matchOn: { what: 'tool name', value: (payload) => payload.tool_name },
  inRun: true,
  aboutToolCall: true,
  rewrites: false,
  groups: 'side-by-side',
  block: 'The call is denied without a prompt and the model gets the reason.',
  output: ['permissionDecision', 'updatedInput'],
  textIsContext: false,
  envFile: false,
  example: {
    tool_name: 'run_shell',
    tool_input: { command: 'npm install left-pad' },
    tool_call_id: 'call_10',
    reason: 'run_shell asks in mode default',
  },
  since: '0.1.0',
});
