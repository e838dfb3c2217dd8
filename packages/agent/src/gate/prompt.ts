// Opens one prompt before a human and tells the world that somebody is waited for.
import type { AgentScope, SessionScope } from '../loop/scope.ts';

export interface PromptFacts {
  readonly reason: 'approval' | 'question';
  /** One line on what is waited for; the only content a lifecycle event ever carries. */
  readonly message: string;
  readonly tool: string;
  readonly notification: 'permission_prompt' | 'question' | 'elicitation';
}

type Closing = 'approved' | 'denied' | 'answered';

/**
 * `blocked` is emitted when the prompt is open and `unblocked` when it is gone, on every way out. The prompt can be
 * answered while the hooks of `blocked` and Notification still run; the bus starts those of `unblocked` after them.
 */
export async function waitForHuman<Answer>(
  agent: AgentScope,
  session: SessionScope,
  facts: PromptFacts,
  open: (signal: AbortSignal) => Promise<Answer>,
  closing: (answer: Answer) => Closing,
): Promise<Answer> {
  const signal = agent.signal;
  const place = { session: session.id, agent: agent.name, turn: agent.turn, tool: facts.tool };
  const release = await agent.promptTurn();
  if (signal.aborted) {
    release();
    throw signal.reason;
  }
  let outcome: Closing | 'interrupted' | 'closed' = 'interrupted';
  try {
    const answer = open(signal);
    // A prompt that fails before anybody waits for it must not become an unhandled rejection.
    answer.catch(() => {});
    // Notification after the commands of `blocked`, and neither is waited for.
    session.background(
      session.bus
        .emit({ event: 'blocked', ...place, reason: facts.reason, message: facts.message })
        .then(() =>
          session.engine.dispatch(
            'Notification',
            { notification_type: facts.notification, tool_name: facts.tool, reason: facts.message },
            agent.dispatchContext(),
          ),
        ),
    );
    const given = await answer;
    // An answer that arrives together with the interrupt lost against it.
    signal.throwIfAborted();
    outcome = closing(given);
    return given;
  } catch (error) {
    outcome = session.closing() ? 'closed' : 'interrupted';
    throw error;
  } finally {
    await session.bus.emit({ event: 'unblocked', ...place, reason: outcome });
    release();
  }
}
