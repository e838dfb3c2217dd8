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
 * What becomes of the newest exchange: it `stays` whatever its size; `calls-may-go` where they and their results are more
 * than may stay, since the conversation fits nowhere with them, but never the user's own words; `all-may-go` where the
 * conversation would otherwise stay as it is, since somebody asked for it.
 */
export type NewestExchange = 'stays' | 'calls-may-go' | 'all-may-go';

export interface Keep {
  readonly keepTokens: number;
  readonly newest: NewestExchange;
}

/**
 * Keeps the newest messages up to `keepTokens`. The cut lies before something a user or the model said, so that a call
 * never loses its result. Undefined where there is nothing to replace.
 */
export function splitConversation({ messages, origins }: Conversation, keep: Keep): Split | undefined {
  const cut = cutIn(messages, keep);
  const replaced = messages.slice(0, cut);
  if (replaced.every(isSummary)) return undefined;
  // Text of a hook may have waited for the results before it, so the last message need not have the greatest number.
  const behindAll = origins.reduce((greatest, origin) => Math.max(greatest, origin), 0) + 1;
  return { replaced, kept: messages.slice(cut), keptFrom: origins[cut] ?? behindAll };
}

/** How many messages are replaced. */
function cutIn(messages: readonly Message[], { keepTokens, newest }: Keep): number {
  const cuts = messages.flatMap(({ role }, index) =>
    role === 'user' || role === 'assistant' ? [index] : [],
  );
  const fitting = cuts.find((index) => estimateTokens(messages.slice(index)) <= keepTokens);
  const last = cuts.at(-1) ?? 0;
  switch (newest) {
    case 'stays':
      return fitting ?? last;
    case 'calls-may-go':
      return fitting ?? (messages[last]?.role === 'assistant' ? messages.length : last);
    case 'all-may-go':
      return (fitting ?? last) || messages.length;
  }
}

function isSummary(message: Message): boolean {
  return message.role === 'context' && message.source === 'compaction';
}
