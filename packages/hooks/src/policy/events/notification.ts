// Told that a person is asked for.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';

export const Notification = definePolicyEvent({
  name: 'Notification',
  family: 'Tool lifecycle',
  summary: 'When an approval prompt, a question or a form is on screen and waits for a person.',
  get payload() {
    return {
      notification_type: v.pipe(
        v.picklist(['permission_prompt', 'question', 'elicitation']),
        v.description(
          '`permission_prompt` for an approval, `question` for `ask_user`, `elicitation` for the form of an MCP server.',
        ),
      ),
      tool_name: v.pipe(
        v.string(),
        v.description('Name of the tool whose call waits; empty for a form that belongs to no call.'),
      ),
      reason: v.pipe(v.string(), v.description('What is waited for, in one line.')),
    };
  },
  matchOn: { what: 'notification type', value: (payload) => payload.notification_type },
  inRun: true,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: null,
  output: [],
  textIsContext: false,
  envFile: false,
  example: { notification_type: 'permission_prompt', tool_name: 'run_shell', reason: 'bash: rm -rf build' },
  since: '0.1.0',
});
