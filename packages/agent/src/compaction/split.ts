// Where a conversation is cut in two: what a summary replaces, and what stays word for word.
import type { Message } from '../model/model.ts';
import { estimateTokens } from './measure.ts';

export interface Conversation {
  readonly messages: readonly Message[];
  /** The `n` of the log entry each message came from. */
  readonly origins: readonly number[];
}

export interface Split {
  readonly replaced: readonly Message[];
  readonly kept: readonly Message[];
  /** The `n` of the first entry whose message stays. */
  readonly keptFrom: number;
}

/**
 * Keeps the newest messages up to `keepTokens`, and the newest exchange whatever its size. The cut lies before something
 * a user or the model said, so that a call never loses its result. `all` lets the whole conversation be replaced where
 * it would otherwise stay as it is: somebody asked for it. Undefined where there is nothing to replace.
 */
export function splitConversation(
  { messages, origins }: Conversation,
  { keepTokens, all }: { readonly keepTokens: number; readonly all: boolean },
): Split | undefined {
  const cuts = messages.flatMap(({ role }, index) =>
    role === 'user' || role === 'assistant' ? [index] : [],
  );
  const fitting =
    cuts.find((index) => estimateTokens(messages.slice(index)) <= keepTokens) ?? cuts.at(-1) ?? 0;
  const cut = fitting === 0 && all ? messages.length : fitting;
  const replaced = messages.slice(0, cut);
  if (replaced.every(isSummary)) return undefined;
  // Text of a hook may have waited for the results before it, so the last message need not have the greatest number.
  const behindAll = origins.reduce((greatest, origin) => Math.max(greatest, origin), 0) + 1;
  return { replaced, kept: messages.slice(cut), keptFrom: origins[cut] ?? behindAll };
}

function isSummary(message: Message): boolean {
  return message.role === 'context' && message.source === 'compaction';
}
