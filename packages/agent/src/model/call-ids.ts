// Ids of tool calls: unique in a conversation, in letters every provider takes.
import type { Message } from './model.ts';

/** Ids of every call the conversation holds. */
export function usedCallIds(messages: readonly Message[]): Set<string> {
  return new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? message.calls : [])).map((call) => call.id),
  );
}

/**
 * The id itself, or with a number behind it when it is taken. Some servers count from zero in every answer; a result,
 * a journal line and `hooks why` must still mean one call.
 */
export function unusedCallId(id: string, taken: ReadonlySet<string>): string {
  if (!taken.has(id)) return id;
  let number = 2;
  while (taken.has(`${id}_${number}`)) number++;
  return `${id}_${number}`;
}

/** Anthropic and OpenAI refuse ids of other makers that hold a colon or a dot, or are longer than 64 characters. */
export function portableCallId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_').slice(-64);
}
