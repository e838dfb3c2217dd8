// Gives a fork the conversation it starts from, entry by entry, so that it is in the log like any other.
import type { Message } from '../model/model.ts';
import type { SessionEntry } from '../session/entry.ts';

/** `messages` as another agent has them now. Calls that are still under way have no result yet and are left out. */
export function copiedEntries(messages: readonly Message[], agent: string): readonly SessionEntry[] {
  return settled(messages).map((message): SessionEntry => {
    switch (message.role) {
      case 'user':
        return { kind: 'prompt', agent, text: message.text, from };
      case 'context':
        return { kind: 'context', agent, text: message.text, source: message.source, from };
      case 'assistant':
        return {
          kind: 'answer',
          agent,
          text: message.text,
          calls: message.calls,
          // Paid for once, by the agent that asked.
          usage: { input: 0, output: 0 },
          from,
          ...(message.carry !== undefined && { carry: message.carry }),
        };
      case 'tool':
        return {
          kind: 'result',
          agent,
          callId: message.callId,
          tool: message.tool,
          output: message.output,
          failed: message.failed,
          from,
        };
    }
  });
}

const from = { kind: 'host' } as const;

function settled(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const answer = messages[last];
  if (answer?.role !== 'assistant') return messages;
  const done = new Set(messages.slice(last).flatMap((each) => (each.role === 'tool' ? [each.callId] : [])));
  return answer.calls.every(({ id }) => done.has(id)) ? messages : messages.slice(0, last);
}
