// The turns of one run: ask the model, run its calls, until it has nothing more to do and may stop.
import type { Attributed } from '@codey/hooks';
import { ModelError } from '../model/model.ts';
import { runCalls } from './calls.ts';
import type { RunOutcome, StopReason } from './outcome.ts';
import type { RunningAgent, SessionScope } from './scope.ts';
import type { StopState, StopVerdict } from './stop.ts';
import type { TurnAnswer } from './turn.ts';
import { callWithinWindow } from './within-window.ts';

/** What may be published of an error: the host's or provider's sentence, or the place of a hook, never its text. */
export interface EndedTurns extends RunOutcome {
  readonly publicError: string;
}

/** Asked when the agent has given an answer without calls. */
export type AskStop = (
  text: string,
  state: StopState,
  agent: RunningAgent,
  session: SessionScope,
) => Promise<StopVerdict>;

/** Never rejects: a failure and an interrupt are ways to end. */
export async function runTurns(
  agent: RunningAgent,
  session: SessionScope,
  askStop: AskStop,
): Promise<EndedTurns> {
  const stop: StopState = { active: false, count: 0 };
  let usage = noTokens;
  let text = '';
  const end = (reason: StopReason, error = '', publicError = error): EndedTurns => ({
    stop: reason,
    text,
    error,
    publicError,
    turns: agent.turn ?? 0,
    usage,
  });
  const halted = ({ text: reason, place }: Attributed) => end('halted', reason, `ended by hook ${place}`);
  try {
    for (;;) {
      const ended = await agent.passBoundary();
      if (ended !== undefined) return halted(ended);
      if (agent.turnLimitReached())
        return end('max_turns', `the run reached its limit of ${agent.turn} turns`);
      await beginTurn(agent, session);
      const called = await callWithinWindow(agent, session);
      if (called.kind === 'halted') return halted(called.by);
      const { answer } = called;
      usage = { input: usage.input + answer.usage.input, output: usage.output + answer.usage.output };
      text = answer.text;
      store(answer, agent, session);
      if (answer.calls.length > 0) {
        const halt = await runAnswerCalls(answer, agent, session);
        agent.signal.throwIfAborted();
        if (halt !== undefined) return halted(halt);
        continue;
      }
      const verdict = await askStop(text, stop, agent, session);
      agent.signal.throwIfAborted();
      if (verdict.kind === 'finished') return end('completed');
      if (verdict.kind === 'ended') return end(verdict.stop, verdict.error, verdict.publicError);
    }
  } catch (error) {
    if (agent.signal.aborted) return end('interrupted', 'interrupted');
    return end('error', ...(await reportFailure(error, agent, session)));
  } finally {
    agent.endTurns();
  }
}

/** Context that async hooks left comes with the next turn. */
async function beginTurn(agent: RunningAgent, session: SessionScope): Promise<void> {
  agent.addContexts(session.engine.takeLateContexts(agent.name), 'background');
  const turn = agent.nextTurn();
  session.events({ kind: 'turn', agent: agent.name, turn });
  await session.bus.emit({ event: 'turn_start', session: session.id, agent: agent.name, turn });
}

function store(answer: TurnAnswer, agent: RunningAgent, session: SessionScope): void {
  session.append({
    kind: 'answer',
    agent: agent.name,
    text: answer.text,
    calls: answer.calls,
    usage: answer.usage,
    from: { kind: 'model', model: agent.model.id },
    ...(answer.carry !== undefined && { carry: answer.carry }),
  });
  session.events({ kind: 'answer', agent: agent.name, text: answer.text, usage: answer.usage });
}

async function runAnswerCalls(answer: TurnAnswer, agent: RunningAgent, session: SessionScope) {
  const results = await runCalls(answer.calls, agent, session);
  for (const result of results) {
    session.append({
      kind: 'result',
      agent: agent.name,
      callId: result.call.id,
      tool: result.call.tool,
      output: result.output,
      failed: result.failed,
      from: { kind: 'tool', tool: result.call.tool },
    });
  }
  // After all results: providers want the results of one answer together.
  for (const result of results) agent.addContexts(result.contexts, result.call.tool);
  return results.find((result) => result.halt !== undefined)?.halt;
}

/** Provider and host errors only; the sentence is theirs and may be published. */
async function reportFailure(
  error: unknown,
  agent: RunningAgent,
  session: SessionScope,
): Promise<readonly [string, string]> {
  const sentence = error instanceof ModelError || error instanceof Error ? error.message : String(error);
  await session.engine.dispatch('StopFailure', { last_assistant_message: sentence }, agent.dispatchContext());
  return [sentence, sentence];
}

/** Nothing was used: no model was asked. */
export const noTokens = { input: 0, output: 0 };
