// One model call: streams the answer to whoever draws it and gives it back whole.
import type { AgentScope, SessionScope } from './scope.ts';
import type { ToolCall, Usage } from '../model/model.ts';

export interface TurnAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: Usage;
  readonly carry?: unknown;
  /** The provider cut the answer at its length limit. */
  readonly cut: boolean;
}

/** Rejects with ModelError, or with the signal's reason when interrupted. */
export async function callModel(agent: AgentScope, session: SessionScope): Promise<TurnAnswer> {
  const { signal, name } = agent;
  let text = '';
  let calls: ToolCall[] = [];
  let answer: TurnAnswer | undefined;
  const stream = agent.model.stream({
    system: agent.system,
    messages: agent.messages(),
    tools: agent.tools.declarations(),
    agent: { type: agent.type, name },
    signal,
  });
  for await (const event of stream) {
    signal.throwIfAborted();
    switch (event.kind) {
      case 'text':
        text += event.text;
        session.events({ kind: 'text', agent: name, text: event.text });
        break;
      case 'reasoning':
        session.events({ kind: 'reasoning', agent: name, text: event.text });
        break;
      case 'call':
        calls.push(event.call);
        break;
      case 'retry':
        text = '';
        calls = [];
        session.events({
          kind: 'retry',
          agent: name,
          attempt: event.attempt,
          delayMs: event.delayMs,
          message: event.message,
        });
        break;
      case 'finish':
        answer = {
          text,
          calls,
          usage: event.usage,
          cut: event.reason === 'length',
          ...(event.carry !== undefined && { carry: event.carry }),
        };
    }
  }
  signal.throwIfAborted();
  return answer ?? { text, calls, usage: { input: 0, output: 0 }, cut: false };
}
