// One prompt, from the user's message to the model's final answer.
import { sayReasons } from '@codey/hooks';
import { ModelError } from '../model/model.ts';
import { runCalls } from './calls.ts';
import { askStop, type StopState } from './stop.ts';
import type { RunOutcome, StopReason } from './outcome.ts';
import type { RunningAgent, SessionScope } from './scope.ts';
import { callModel, type TurnAnswer } from './turn.ts';

/** Never rejects: whatever ends the run is its outcome, and every `run_start` gets its `run_end`. */
export async function runPrompt(
  prompt: string,
  agent: RunningAgent,
  session: SessionScope,
): Promise<RunOutcome> {
  const refused = await submit(prompt, agent, session);
  if (refused !== undefined) return refused;
  session.append({ kind: 'run', agent: agent.name, state: 'start' });
  await session.bus.emit({ event: 'run_start', session: session.id, agent: agent.name });
  const outcome = await runTurns(agent, session);
  session.append({ kind: 'run', agent: agent.name, state: 'end', reason: outcome.stop });
  await session.bus.emit({
    event: 'run_end',
    session: session.id,
    agent: agent.name,
    reason: runEndReason(outcome.stop),
    error: outcome.publicError,
  });
  return outcome;
}

/** What may be published of an error: the host's or provider's sentence, or the place of a hook, never its text. */
interface EndedRun extends RunOutcome {
  readonly publicError: string;
}

/** A refused prompt is not stored and no run begins. */
async function submit(
  prompt: string,
  agent: RunningAgent,
  session: SessionScope,
): Promise<RunOutcome | undefined> {
  const asked = await session.engine.dispatch('UserPromptSubmit', { prompt }, agent.dispatchContext());
  const refuse = (stop: StopReason, error: string): RunOutcome => ({
    stop,
    error,
    text: '',
    turns: 0,
    usage: noTokens,
  });
  switch (asked.verdict.kind) {
    case 'cancelled':
      return refuse('interrupted', 'The prompt was interrupted before it was sent.');
    case 'deny':
      return refuse('prompt_blocked', sayReasons(asked.verdict.reasons));
    case 'ask':
      // A guard that changed under the session asks; without somebody to answer that is a no.
      return refuse('prompt_blocked', sayReasons(asked.verdict.reasons));
    default:
      break;
  }
  if (asked.halt) return refuse('halted', asked.halt.text);
  session.append({ kind: 'prompt', agent: agent.name, text: prompt, from: { kind: 'user' } });
  agent.addContexts(asked.contexts, 'UserPromptSubmit');
  return undefined;
}

async function runTurns(agent: RunningAgent, session: SessionScope): Promise<EndedRun> {
  const stop: StopState = { active: false, count: 0 };
  let usage = noTokens;
  let text = '';
  const end = (reason: StopReason, error = '', publicError = error): EndedRun => ({
    stop: reason,
    text,
    error,
    publicError,
    turns: agent.turn ?? 0,
    usage,
  });
  try {
    for (;;) {
      await agent.passBoundary();
      if (agent.turnLimitReached())
        return end('max_turns', `the run reached its limit of ${agent.turn} turns`);
      await beginTurn(agent, session);
      const answer = await callModel(agent, session);
      usage = { input: usage.input + answer.usage.input, output: usage.output + answer.usage.output };
      text = answer.text;
      store(answer, agent, session);
      if (answer.calls.length > 0) {
        const halt = await runAnswerCalls(answer, agent, session);
        agent.signal.throwIfAborted();
        if (halt !== undefined) return end('halted', halt.text, `ended by hook ${halt.place}`);
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
  agent.addContexts(session.engine.takeLateContexts(), 'background');
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

function runEndReason(stop: StopReason): 'completed' | 'error' | 'interrupted' {
  if (stop === 'completed' || stop === 'interrupted') return stop;
  return 'error';
}

const noTokens = { input: 0, output: 0 };
