// One prompt, from the user's message to the model's final answer.
import { sayReasons } from '@codey/hooks';
import { confirmWithHuman } from '../gate/confirm.ts';
import type { RunOutcome, StopReason } from './outcome.ts';
import type { RunningAgent, SessionScope } from './scope.ts';
import { askStop } from './stop.ts';
import { type EndedTurns, noTokens, runTurns } from './turns.ts';

/** Never rejects: whatever ends the run is its outcome, and every `run_start` gets its `run_end`. */
export async function runPrompt(
  prompt: string,
  agent: RunningAgent,
  session: SessionScope,
  work: RunWork = ownTurns,
): Promise<RunOutcome> {
  const refused = await submit(prompt, agent, session);
  if (refused !== undefined) return refused;
  session.append({ kind: 'run', agent: agent.name, state: 'start' });
  await session.bus.emit({ event: 'run_start', session: session.id, agent: agent.name });
  const outcome = await work(agent, session);
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

/** What happens between `run_start` and `run_end`. Must not reject. */
export type RunWork = (agent: RunningAgent, session: SessionScope) => Promise<EndedTurns>;

/** The agent answers by itself, until its Stop hooks let it go. */
export const ownTurns: RunWork = (agent, session) => runTurns(agent, session, askStop);

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
    case 'ask': {
      const reason = sayReasons(asked.verdict.reasons);
      if (!(await confirmPrompt(reason, agent, session))) return refuse('prompt_blocked', reason);
      break;
    }
    default:
      break;
  }
  if (asked.halt) return refuse('halted', asked.halt.text);
  session.append({ kind: 'prompt', agent: agent.name, text: prompt, from: { kind: 'user' } });
  agent.addContexts(asked.contexts, 'UserPromptSubmit');
  return undefined;
}

/** A hook wants a human to decide; where nobody can answer that is a no. */
function confirmPrompt(question: string, agent: RunningAgent, session: SessionScope): Promise<boolean> {
  const words = { header: 'Prompt', question, yes: 'Submit the prompt', no: 'Do not submit it' };
  return confirmWithHuman(words, agent, session);
}

function runEndReason(stop: StopReason): 'completed' | 'error' | 'interrupted' {
  if (stop === 'completed' || stop === 'interrupted') return stop;
  return 'error';
}
