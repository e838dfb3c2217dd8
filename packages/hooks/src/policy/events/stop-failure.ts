// Told that a run failed.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';

export const StopFailure = definePolicyEvent({
  name: 'StopFailure',
  family: 'Session lifecycle',
  summary: 'When an error of the provider or the program ends a run, before `run_end`.',
  get payload() {
    return {
      last_assistant_message: v.pipe(v.string(), v.description('The error text.')),
    };
  },
  matchOn: null,
  inRun: true,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: null,
  output: [],
  textIsContext: false,
  envFile: false,
  example: { last_assistant_message: 'The provider is overloaded (529); it was asked 4 times.' },
  since: '0.1.0',
});
