// Told at startup that onboarding is not complete.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';

export const Setup = definePolicyEvent({
  name: 'Setup',
  family: 'Session lifecycle',
  summary:
    'At startup and in the wizard while onboarding steps are missing, before SessionStart; not with `--bare`.',
  get payload() {
    return {
      missing_steps: v.pipe(
        v.array(v.string()),
        v.readonly(),
        v.description('The steps that are missing, by name; never empty.'),
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
  envFile: true,
  example: { missing_steps: ['model'] },
  since: '0.1.0',
});
