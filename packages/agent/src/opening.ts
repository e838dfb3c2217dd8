// The opening of a conversation: Setup, instructions, SessionStart, `session_start`.
import { sayReasons } from '@codey/hooks';
import type { StartOptions } from './live-session.ts';
import type { RunningAgent, SessionScope } from './loop/scope.ts';
import type { Surroundings } from './surroundings.ts';

export interface OpeningParts {
  readonly scope: SessionScope;
  readonly agent: RunningAgent;
  readonly surroundings: Surroundings;
  /** Called when the instructions are known, before anything is asked of the model. */
  readonly instructed: () => void;
}

/** The reason, where a hook keeps the conversation shut; then nothing was published and nothing need be closed. */
export async function openConversation(
  options: Pick<StartOptions, 'missingSteps' | 'signals' | 'source'>,
  { scope, agent, surroundings, instructed }: OpeningParts,
): Promise<string | undefined> {
  const { engine } = scope;
  const { signals, source } = options;
  const signal = signals === undefined ? agent.signal : AbortSignal.any([agent.signal, signals.interrupted]);
  const context = { ...agent.dispatchContext(), signal };
  if (options.missingSteps.length > 0) {
    await engine.dispatch('Setup', { missing_steps: [...options.missingSteps] }, context);
  }
  const instructions = await surroundings.load(context);
  instructed();
  const asked = await engine.dispatch('SessionStart', { source }, context);
  switch (asked.verdict.kind) {
    case 'deny':
    case 'ask':
      return sayReasons(asked.verdict.reasons);
    case 'cancelled':
      return 'interrupted while the session was being opened';
    default:
      break;
  }
  if (asked.halt) return asked.halt.text;
  agent.addContexts(instructions, 'InstructionsLoaded');
  agent.addContexts(asked.contexts, 'SessionStart');
  await surroundings.watch(asked.watchPaths);
  await scope.bus.emit({ event: 'session_start', session: scope.id, reason: source });
  await surroundings.arrive();
  return undefined;
}
