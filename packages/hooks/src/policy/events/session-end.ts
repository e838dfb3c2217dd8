// Told that a conversation is closing.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';

export const SessionEnd = definePolicyEvent({
  name: 'SessionEnd',
  family: 'Session lifecycle',
  summary: 'When a conversation closes, before the lifecycle event `session_end`.',
  get payload() {
    return {
      reason: v.pipe(
        // The reasons of session_end without `crashed`: no hook is run for a program that is already dead.
        v.picklist(['exit', 'closed', 'clear', 'resume', 'signal', 'error']),
        v.description(
          'Why it closes: `exit` of the program, `closed` tab, `clear` or `resume` of another one, `signal` or `error`.',
        ),
      ),
    };
  },
  matchOn: null,
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: null,
  output: [],
  textIsContext: false,
  envFile: false,
  example: { reason: 'exit' },
  since: '0.1.0',
});
