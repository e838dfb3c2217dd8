// The model call of one turn, asked once more in a compacted conversation where the provider refused it as too long.
import type { Attributed } from '@codey/hooks';
import { isOverflow, ModelError } from '../model/model.ts';
import type { RunningAgent, SessionScope } from './scope.ts';
import { callModel, type TurnAnswer } from './turn.ts';

export type Called =
  | { readonly kind: 'answered'; readonly answer: TurnAnswer }
  /** A PreCompact hook does not let room be made, and without it nothing can be asked. */
  | { readonly kind: 'halted'; readonly by: Attributed };

/** Rejects as `callModel` does; a refusal that stays says what the user can do about it. */
export async function callWithinWindow(agent: RunningAgent, session: SessionScope): Promise<Called> {
  try {
    return { kind: 'answered', answer: await callModel(agent, session) };
  } catch (error) {
    agent.signal.throwIfAborted();
    if (!isOverflow(error)) throw error;
    session.events({ kind: 'overflow', agent: agent.name, message: error.message });
    const room = await agent.makeRoom();
    agent.signal.throwIfAborted();
    switch (room.kind) {
      case 'compacted':
        return { kind: 'answered', answer: await callOnceMore(agent, session) };
      case 'blocked': {
        const [by] = room.reasons;
        if (by === undefined) throw error;
        return { kind: 'halted', by };
      }
      case 'unchanged':
        throw stillTooLong(error, 'it could not be compacted', agent);
    }
  }
}

async function callOnceMore(agent: RunningAgent, session: SessionScope): Promise<TurnAnswer> {
  try {
    return await callModel(agent, session);
  } catch (error) {
    throw isOverflow(error) ? stillTooLong(error, 'it is too long compacted as well', agent) : error;
  }
}

/** Of any other agent the one that started it hears, who can do nothing of what a person can. */
function stillTooLong({ kind, message }: ModelError, why: string, { name }: RunningAgent): ModelError {
  const advice = name === 'main' ? `: ${whatHelps}` : '';
  return new ModelError(kind, `${message}; ${why}${advice}`);
}

const whatHelps = 'begin a new conversation (/clear), or choose a model with a larger window (/model)';
