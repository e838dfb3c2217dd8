// One agent's messages in the order a model accepts: an answer, the results of all its calls, then anything else.
import type { Message, ToolCall } from '../model/model.ts';
import type { LoggedEntry } from './entry.ts';

/** The entries that make messages. */
export type ConversationEntry = Extract<
  LoggedEntry,
  { kind: 'prompt' | 'context' | 'answer' | 'result' | 'compacted' }
>;

export interface Conversation {
  messages: Message[];
  /** The `n` of the entry each message came from. */
  origins: number[];
  /** What the provider counted with the last answer, that included, and how many of the messages it counted. */
  counted: Counted;
  /** Calls of the last answer that have no result yet. */
  pending: Map<string, ToolCall>;
  /** Context that came between a call and its result, such as a hook's: it waits for the results. */
  held: { n: number; message: Message }[];
}

export interface Counted {
  readonly tokens: number;
  readonly messages: number;
}

const nothingCounted: Counted = { tokens: 0, messages: 0 };

/** The model's own view of a call whose result never came. Such a call is never run again by itself. */
export const interruptedResult =
  'No result: codey ended while this call was under way. It may have taken effect or not; look before you repeat it.';

export function createConversation(): Conversation {
  return { messages: [], origins: [], counted: nothingCounted, pending: new Map(), held: [] };
}

export function addEntry(conversation: Conversation, entry: ConversationEntry): void {
  const { n } = entry;
  switch (entry.kind) {
    case 'prompt':
      settleCalls(conversation);
      push(conversation, n, { role: 'user', text: entry.text });
      return;
    case 'context': {
      const message = { role: 'context', text: entry.text, source: entry.source } as const;
      if (conversation.pending.size === 0) push(conversation, n, message);
      else conversation.held.push({ n, message });
      return;
    }
    case 'answer': {
      settleCalls(conversation);
      const { text, calls, carry, usage } = entry;
      push(conversation, n, { role: 'assistant', text, calls, ...(carry === undefined ? {} : { carry }) });
      conversation.counted = { tokens: usage.input + usage.output, messages: conversation.messages.length };
      for (const call of calls) conversation.pending.set(call.id, call);
      return;
    }
    case 'result': {
      // One that nobody waits for is dropped: models refuse a result without its call, and a second one for the same.
      if (!conversation.pending.delete(entry.callId)) return;
      const { callId, tool, output, failed } = entry;
      push(conversation, n, { role: 'tool', callId, tool, output, failed });
      if (conversation.pending.size === 0) releaseHeld(conversation);
      return;
    }
    case 'compacted':
      compact(conversation, entry.keptFrom, entry.summary);
      return;
  }
}

/** Gives every call that is still under way a result that says it was interrupted. */
export function settleCalls(conversation: Conversation): void {
  const n = conversation.origins.at(-1) ?? 0;
  for (const { id, tool } of conversation.pending.values()) {
    push(conversation, n, { role: 'tool', callId: id, tool, output: interruptedResult, failed: true });
  }
  conversation.pending.clear();
  releaseHeld(conversation);
}

/** Puts a summary in the place of everything before entry `keptFrom`. A result never stays without its answer. */
function compact(conversation: Conversation, keptFrom: number, summary: string): void {
  const { messages, origins } = conversation;
  let first = origins.findIndex((origin) => origin >= keptFrom);
  if (first === -1) first = messages.length;
  while (messages[first]?.role === 'tool') first += 1;
  // A new array: who was given the old one goes on seeing what was there.
  conversation.messages = [
    { role: 'context', text: summary, source: 'compaction' },
    ...messages.slice(first),
  ];
  // Older than all that stays, so that the next compaction takes this summary in.
  conversation.origins = [keptFrom - 1, ...origins.slice(first)];
  conversation.counted = nothingCounted;
  forgetCutCalls(conversation);
}

/** A call whose answer went into the summary waits for nothing any more: its result would stand alone. */
function forgetCutCalls(conversation: Conversation): void {
  const { messages, pending } = conversation;
  const kept = new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : [])),
  );
  for (const id of pending.keys()) if (!kept.has(id)) pending.delete(id);
  if (pending.size === 0) releaseHeld(conversation);
}

function push(conversation: Conversation, n: number, message: Message): void {
  conversation.messages.push(message);
  conversation.origins.push(n);
}

function releaseHeld(conversation: Conversation): void {
  for (const { n, message } of conversation.held) push(conversation, n, message);
  conversation.held = [];
}
