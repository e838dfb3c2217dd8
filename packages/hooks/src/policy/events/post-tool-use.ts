// Asked after a tool call completed, failed ones included: formatters and audits live here.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';
import { toolCallId, toolInput, toolName } from './fields.ts';

export const PostToolUse = definePolicyEvent({
  name: 'PostToolUse',
  family: 'Tool lifecycle',
  summary: 'After each tool call that ran; for a failed one PostToolUseFailure fires first.',
  get payload() {
    return {
      tool_name: toolName(),
      tool_input: toolInput(),
      tool_call_id: toolCallId(),
      result: v.pipe(
        v.string(),
        v.description(
          'What the tool returned; for a failed call the error text, for a shell command its output.',
        ),
      ),
      failed: v.pipe(
        v.boolean(),
        v.description('Whether the call failed; a shell command that exits non-zero has.'),
      ),
    };
  },
  matchOn: { what: 'tool name', value: (payload) => payload.tool_name },
  inRun: true,
  aboutToolCall: true,
  rewrites: false,
  groups: 'in-order',
  block: 'The model gets the reason beside the result, which is never lost.',
  output: ['additionalContext', 'updatedToolOutput'],
  textIsContext: false,
  envFile: false,
  example: {
    tool_name: 'write_file',
    tool_input: { path: 'src/tax.ts', content: 'export const rate = 0.2;\n' },
    tool_call_id: 'call_8',
    result: 'Wrote src/tax.ts (1 line)',
    failed: false,
  },
  since: '0.1.0',
});
