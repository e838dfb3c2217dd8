// One member of a team at work: it answers, becomes idle, and goes on when mail comes, keeping its conversation.
import { failureReason } from '@codey/hooks';
import { continuationLimit, type StopVerdict } from '../loop/stop.ts';
import { type AskStop, runTurns } from '../loop/turns.ts';
import type { Session } from '../session/session.ts';
import type { Joined } from '../subagents/crew.ts';
import { type AgentResult, resultOf, sayResult } from '../subagents/result.ts';
import type { Roster } from '../subagents/roster.ts';
import type { Inbox } from './mailbox.ts';
import { type Arrivals, deliverMail } from './post.ts';

export interface Teammate {
  readonly joined: Joined;
  readonly team: string;
  readonly inbox: Inbox;
  readonly arrivals: Arrivals;
}

export interface TeammateWorld {
  readonly stored: Session;
  readonly roster: Roster;
  /** Told what went wrong with its mail, in a sentence. */
  readonly notice: (sentence: string) => void;
}

/** Resolves when the member was ended. Never rejects. */
export async function workInTeam(mate: Teammate, world: TeammateWorld): Promise<void> {
  const { joined } = mate;
  const { name, live, leave } = joined;
  const { roster, stored } = world;
  let result: AgentResult = { kind: 'cancelled' };
  let notes: readonly string[] = [];
  try {
    for (;;) {
      stored.append({ kind: 'run', agent: name, state: 'start' });
      const outcome = await runTurns(live.agent, live.scope, askIdle(mate, world));
      stored.append({ kind: 'run', agent: name, state: 'end', reason: outcome.stop });
      result = resultOf(outcome);
      if (live.agent.signal.aborted) break;
      const failed = result.kind !== 'answer';
      roster.turn(name, 'idle', { name, text: sayResult(name, result, []), failed });
      if (!(await mailCame(mate, world))) break;
      roster.turn(name, 'working');
    }
    notes = await leave();
  } catch (error) {
    result = { kind: 'failed', error: failureReason(error), text: '' };
  } finally {
    roster.leave(name, result, notes);
  }
}

/** False when the member is ended before anything comes. */
async function mailCame({ joined, inbox, arrivals }: Teammate, world: TeammateWorld): Promise<boolean> {
  const { signal } = joined.live.agent;
  while (!signal.aborted) {
    const came = await tryDeliver(joined.name, inbox, world);
    if (came !== undefined && came > 0) return true;
    // Whoever sent something here counts on its being worked on; what cannot be read is not.
    if (came === undefined) world.roster.turn(joined.name, 'idle');
    await arrivals.next(signal);
  }
  return false;
}

/** Undefined where its mail cannot be read; the user is told. */
async function tryDeliver(
  name: string,
  inbox: Inbox,
  { stored, notice }: TeammateWorld,
): Promise<number | undefined> {
  try {
    return await deliverMail(name, inbox, stored);
  } catch (error) {
    notice(`the mail of ${name} cannot be read: ${failureReason(error)}`);
    return undefined;
  }
}

/** Mail that came meanwhile goes before idling; then the TeammateIdle hooks are asked. */
function askIdle({ joined, team, inbox }: Teammate, world: TeammateWorld): AskStop {
  return async (_text, state, agent, session): Promise<StopVerdict> => {
    const came = (await tryDeliver(agent.name, inbox, world)) ?? 0;
    if (came > 0) return { kind: 'continue' };
    const asked = await session.engine.dispatch(
      'TeammateIdle',
      { team_name: team, agent_id: joined.name, agent_name: joined.name },
      agent.dispatchContext(),
    );
    if (asked.halt !== undefined)
      return { kind: 'ended', stop: 'halted', error: asked.halt.text, publicError: '' };
    const { verdict } = asked;
    const kept = verdict.kind === 'deny' || verdict.kind === 'continue' || verdict.kind === 'ask';
    if (!kept) return { kind: 'finished' };
    state.count += 1;
    if (state.count >= continuationLimit) {
      world.notice(
        `${joined.name} is idle now: TeammateIdle hooks kept it working ${continuationLimit} times`,
      );
      return { kind: 'finished' };
    }
    agent.addContexts(verdict.reasons, 'TeammateIdle');
    return { kind: 'continue' };
  };
}
