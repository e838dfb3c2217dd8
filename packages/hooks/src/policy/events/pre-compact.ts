// Asked before a conversation is compacted.
import { definePolicyEvent } from '../define-event.ts';
import { compactionTrigger, messagesBefore, tokensBefore } from './fields.ts';

export const PreCompact = definePolicyEvent({
  name: 'PreCompact',
  family: 'Context and workspace',
  summary: 'Before a conversation is compacted.',
  get payload() {
    return { trigger: compactionTrigger(), tokens_before: tokensBefore(), messages_before: messagesBefore() };
  },
  matchOn: { what: 'trigger', value: (payload) => payload.trigger },
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block:
    'The conversation is not compacted; at the hard limit the hooks are asked once more, and a second block ends the run naming the hook.',
  output: [],
  textIsContext: false,
  envFile: false,
  example: { trigger: 'auto', tokens_before: 168_000, messages_before: 214 },
  since: '0.1.0',
});
