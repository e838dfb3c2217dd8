// Asks the Stop hooks whether the agent may stop.
import { type Decision, sayReasons } from '@codey/hooks';
import type { StopReason } from './outcome.ts';
import type { RunningAgent, SessionScope } from './scope.ts';

/** Kept over one run and never reset within it, so that a busy loop is bounded too. */
export interface StopState {
  active: boolean;
  count: number;
}

/** How often a run may be sent back to work. */
export const continuationLimit = 8;

export type StopVerdict =
  | { readonly kind: 'finished' }
  /** Back to work: the reason stands in the conversation. */
  | { readonly kind: 'continue' }
  | {
      readonly kind: 'ended';
      readonly stop: StopReason;
      readonly error: string;
      readonly publicError: string;
    };

export async function askStop(
  text: string,
  state: StopState,
  agent: RunningAgent,
  session: SessionScope,
): Promise<StopVerdict> {
  const asked = await session.engine.dispatch(
    'Stop',
    {
      agent_type: agent.type,
      last_assistant_message: text,
      stop_hook_active: state.active,
      stop_hook_count: state.count,
    },
    agent.dispatchContext(),
  );
  return settleStop('Stop', asked, state, agent);
}

/** What the hooks' answer means for the run; the same for every event that asks whether an agent may stop. */
export function settleStop(
  event: 'Stop' | 'SubagentStop',
  asked: Decision,
  state: StopState,
  agent: RunningAgent,
): StopVerdict {
  if (asked.halt) {
    return {
      kind: 'ended',
      stop: 'halted',
      error: asked.halt.text,
      publicError: `ended by ${event} hook ${asked.halt.place}`,
    };
  }
  switch (asked.verdict.kind) {
    case 'deny':
    case 'ask': {
      const names = asked.verdict.reasons.map((reason) => reason.place).join('; ');
      const error = sayReasons(asked.verdict.reasons);
      return { kind: 'ended', stop: 'stop_blocked', error, publicError: `blocked by ${event} hook ${names}` };
    }
    case 'continue':
      return continueRun(event, asked.verdict.reasons, state, agent);
    default:
      agent.addContexts(asked.contexts, event);
      return { kind: 'finished' };
  }
}

function continueRun(
  event: 'Stop' | 'SubagentStop',
  reasons: Parameters<typeof sayReasons>[0],
  state: StopState,
  agent: RunningAgent,
): StopVerdict {
  state.count += 1;
  state.active = true;
  if (state.count >= continuationLimit) {
    const names = [...new Set(reasons.map((reason) => reason.hook))].join('; ');
    return {
      kind: 'ended',
      stop: 'stop_hook_limit',
      error: `${event} hooks sent the agent back to work ${continuationLimit} times (${names}); the last reason was: ${sayReasons(reasons)}`,
      publicError: 'stop_hook_limit',
    };
  }
  agent.addContexts(reasons, event);
  return { kind: 'continue' };
}
