// This agent passes the suite that every agent which embeds the engine can run.
import {
  conformanceCases,
  type ConformanceHost,
  type HumanStandIn,
  type ModelStandIn,
  whyNotAsked,
} from '@codey/hooks/testing';
import { describe, it } from 'vitest';
import type { LiveSession } from '../src/live-session.ts';
import type { Human } from '../src/gate/human.ts';
import type { RunOutcome } from '../src/loop/outcome.ts';
import { type Message, type Model, ModelError } from '../src/model/model.ts';
import { modelOf, openWholeSession } from './whole-session.ts';

const host: ConformanceHost = {
  shell: { name: 'run_shell', input: (command) => ({ command }) },
  async open({ projectRoot, home, model, human }) {
    const { started } = await openWholeSession({
      projectRoot,
      home,
      model: playing(model),
      ...(human !== undefined && { human: personOf(human) }),
    });
    if (started.kind === 'blocked') return started;
    const { session } = started;
    return {
      kind: 'open',
      session: {
        prompt: async (text) => endOf(await session.prompt(text)),
        interrupt: session.interrupt,
        close: () => leave(session),
      },
    };
  },
};

function playing(answer: ModelStandIn): Model {
  return modelOf(async ({ agent, system, messages }) => {
    const conversation = [system, ...messages.map(textOf)].join('\n');
    const { error, ...said } = await answer({ agent: agent.name, conversation });
    if (error !== undefined) throw new ModelError('server', error);
    return said;
  });
}

function textOf(message: Message): string {
  switch (message.role) {
    case 'user':
    case 'context':
      return message.text;
    case 'assistant':
      return [message.text, ...message.calls.map(({ input }) => JSON.stringify(input))].join('\n');
    case 'tool':
      return message.output;
  }
}

function personOf(human: HumanStandIn): Human {
  return {
    async approve({ call, pattern }, signal) {
      const answer = await human({ tool: call.tool, signal });
      signal.throwIfAborted();
      if (answer === 'deny') return { kind: 'deny' };
      return answer === 'remember' && pattern !== undefined
        ? { kind: 'remember', pattern, keep: 'session' }
        : { kind: 'once' };
    },
    answer: () => Promise.reject(new Error('the suite asks no questions')),
  };
}

function endOf({ stop, error }: RunOutcome) {
  switch (stop) {
    case 'completed':
    case 'interrupted':
      return { kind: stop, message: error };
    case 'prompt_blocked':
      return { kind: 'refused', message: error } as const;
    default:
      return { kind: 'error', message: error } as const;
  }
}

const leave = (session: LiveSession) =>
  session.close({ reason: 'exit', hurry: new AbortController().signal });

describe('this agent', () => {
  for (const examined of conformanceCases) {
    it(`${examined.id}: ${examined.promise} [${examined.cites.join(', ')}]`, async ({ skip }) => {
      const reason = whyNotAsked(examined, host);
      if (reason !== undefined) skip(reason);
      await examined.run(host);
    });
  }
});
