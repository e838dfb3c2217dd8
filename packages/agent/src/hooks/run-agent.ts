// Answers agent hooks: a model that reads the workspace through the gate until it has its answer.
import type { RunAgent } from '@codey/hooks';
import type { Executed } from '../gate/executed.ts';
import { runCalls } from '../loop/calls.ts';
import { callModel, type TurnAnswer } from '../loop/turn.ts';
import type { Message } from '../model/model.ts';
import type { HookModels } from './hook-models.ts';
import { type HookSession, type InsideHook, stepInside } from './inside-hook.ts';

/** Model calls of one answer: enough to look something up, few enough to notice a model that gets lost. */
const turnLimit = 20;

export function createRunAgent(models: HookModels, session: () => HookSession): RunAgent {
  return async ({ system, text, model, signal, workspace }) => {
    const inside = stepInside(session(), {
      system: `${system}\n\nWorkspace: ${workspace}`,
      workspace,
      model: await models(model),
      signal,
    });
    try {
      return await work(text, inside);
    } finally {
      inside.leave();
    }
  };
}

async function work(question: string, inside: InsideHook): ReturnType<RunAgent> {
  const { agent, session, messages } = inside;
  messages.push({ role: 'user', text: question });
  let usage = { input: 0, output: 0 };
  for (;;) {
    const turn = inside.nextTurn();
    if (turn === turnLimit) messages.push({ role: 'user', text: lastTurn });
    const answer = await callModel(agent, session);
    usage = { input: usage.input + answer.usage.input, output: usage.output + answer.usage.output };
    if (answer.calls.length === 0) return { text: answer.text, usage };
    if (turn === turnLimit) throw new Error(`it called tools for ${turnLimit} turns and gave no answer`);
    const results = await runCalls(answer.calls, agent, session);
    agent.signal.throwIfAborted();
    const halt = results.find((result) => result.halt !== undefined)?.halt;
    if (halt !== undefined) throw new Error(`managed hook ${halt.place} ended its work`);
    messages.push(said(answer), ...results.map(returned), ...results.flatMap(told));
  }
}

/** The tools stay declared, since providers refuse a conversation with calls of tools that are not. */
const lastTurn = 'This is your last turn. Call no more tools; answer now with what you know.';

function said({ text, calls, carry }: TurnAnswer): Message {
  return { role: 'assistant', text, calls, ...(carry !== undefined && { carry }) };
}

function returned({ call, output, failed }: Executed): Message {
  return { role: 'tool', callId: call.id, tool: call.tool, output, failed };
}

function told({ call, contexts }: Executed): readonly Message[] {
  return contexts.map(({ text, hook }) => ({ role: 'context', text, source: `${call.tool} hook ${hook}` }));
}
