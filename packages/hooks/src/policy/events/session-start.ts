// Asked before a conversation opens.
import * as v from 'valibot';
import { lifecycleCatalogue } from '../../lifecycle/catalogue.ts';
import { definePolicyEvent } from '../define-event.ts';

export const SessionStart = definePolicyEvent({
  name: 'SessionStart',
  family: 'Session lifecycle',
  summary: 'Once before a conversation opens, at startup, on resume and after `/clear`; not with `--bare`.',
  get payload() {
    return {
      source: v.pipe(
        v.picklist(lifecycleCatalogue.session_start.reasons),
        v.description(
          '`startup` for a new conversation, `resume` for a reopened one, `clear` for the one after `/clear`.',
        ),
      ),
    };
  },
  matchOn: { what: 'source', value: (payload) => payload.source },
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block:
    'The conversation does not open; when it is the first one the program ends with exit code 1 and the reason on stderr.',
  output: ['additionalContext', 'watchPaths'],
  textIsContext: true,
  envFile: true,
  example: { source: 'startup' },
  since: '0.1.0',
});
