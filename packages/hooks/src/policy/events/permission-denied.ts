// Told that a guarded call was denied, and by whom.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';
import { toolCallId, toolInput, toolName } from './fields.ts';

export const PermissionDenied = definePolicyEvent({
  name: 'PermissionDenied',
  family: 'Tool lifecycle',
  summary:
    'When a guarded tool call is denied by a rule, the mode, a PermissionRequest hook, a person or for lack of one; not after a block by PreToolUse.',
  get payload() {
    return {
      tool_name: toolName(),
      tool_input: toolInput(),
      tool_call_id: toolCallId(),
      reason: v.pipe(v.string(), v.description('Where the denial came from and why.')),
    };
  },
  matchOn: { what: 'tool name', value: (payload) => payload.tool_name },
  inRun: true,
  aboutToolCall: true,
  rewrites: false,
  groups: 'side-by-side',
  block: null,
  output: ['additionalContext'],
  textIsContext: false,
  envFile: false,
  example: {
    tool_name: 'run_shell',
    tool_input: { command: 'npm publish' },
    tool_call_id: 'call_11',
    reason: 'denied by rule run_shell(npm publish*), settings.json:8',
  },
  since: '0.1.0',
});
