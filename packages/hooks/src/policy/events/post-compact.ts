// Told that a conversation was compacted; the moment to bring back what must not be forgotten.
import { definePolicyEvent } from '../define-event.ts';
import { compactionTrigger, messagesAfter, messagesBefore, tokensAfter, tokensBefore } from './fields.ts';

export const PostCompact = definePolicyEvent({
  name: 'PostCompact',
  family: 'Context and workspace',
  summary: 'After a conversation was compacted.',
  get payload() {
    return {
      trigger: compactionTrigger(),
      tokens_before: tokensBefore(),
      messages_before: messagesBefore(),
      tokens_after: tokensAfter(),
      messages_after: messagesAfter(),
    };
  },
  matchOn: { what: 'trigger', value: (payload) => payload.trigger },
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: null,
  output: ['additionalContext'],
  textIsContext: false,
  envFile: false,
  example: {
    trigger: 'manual',
    tokens_before: 168_000,
    messages_before: 214,
    tokens_after: 9_400,
    messages_after: 12,
  },
  since: '0.1.0',
});
