// Asked before a prompt is stored or shown to the model.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';

export const UserPromptSubmit = definePolicyEvent({
  name: 'UserPromptSubmit',
  family: 'Session lifecycle',
  summary:
    'On every prompt that a person or the command line submits, slash commands expanded; not for continuations, teammate mail or forks.',
  get payload() {
    return {
      prompt: v.pipe(v.string(), v.description('The prompt as the model would get it.')),
    };
  },
  matchOn: null,
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: 'The prompt is refused before it is stored, the user sees the reason and no run starts.',
  output: ['additionalContext'],
  textIsContext: true,
  envFile: false,
  example: { prompt: 'Add tax to the cart total' },
  since: '0.1.0',
});
