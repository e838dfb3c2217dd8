// How many tokens a conversation has: what the provider counted, and an estimate of what came since.
import type { Message } from '../model/model.ts';
import type { ConversationSize } from '../session/state.ts';

/** English prose has about four characters a token, code somewhat fewer. */
const charactersPerToken = 4;

/** `size` is that of the conversation; without a count of the provider all of it is estimated. */
export function tokensOf(messages: readonly Message[], size: ConversationSize | undefined): number {
  const counted = size?.counted ?? { tokens: 0, messages: 0 };
  if (counted.tokens === 0) return estimateTokens(messages);
  return counted.tokens + estimateTokens(messages.slice(counted.messages));
}

export function estimateTokens(messages: readonly Message[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + lengthOf(message), 0) / charactersPerToken);
}

function lengthOf(message: Message): number {
  switch (message.role) {
    case 'user':
    case 'context':
      return message.text.length;
    case 'assistant':
      return (
        message.text.length +
        message.calls.reduce((sum, { tool, input }) => sum + tool.length + JSON.stringify(input).length, 0)
      );
    case 'tool':
      return message.output.length;
  }
}
