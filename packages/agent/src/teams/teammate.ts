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
import type { Team } from './team.ts';

export interface Teammate {
  readonly joined: Joined;
  readonly team: Pick<Team, 'name' | 'releaseTasksOf'>;
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
  const { joined, inbox } = mate;
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
      const left = await settle(mate, failed, world);
      roster.turn(name, 'idle', { name, text: sayResult(name, result, left), failed });
      if (!(await mailCame(mate, world))) break;
      roster.turn(name, 'working');
    }
    // Before its conversation is let go with it: that is where the mail stands.
    await withMail(name, inbox.giveBack, world);
    notes = await leave();
    for (const note of notes) world.notice(`${name}: ${note}`);
  } catch (error) {
    result = { kind: 'failed', error: failureReason(error), text: '' };
  } finally {
    roster.leave(name, result, notes);
  }
}

/**
 * After a run: what it answered is read. One that failed has worked on nothing and may never go on, so its tasks are
 * the others' again. Returns what its starter is to know of that.
 */
async function settle(
  { joined: { name }, team, inbox }: Teammate,
  failed: boolean,
  world: TeammateWorld,
): Promise<readonly string[]> {
  await world.stored.flush();
  if (!failed) {
    await withMail(name, inbox.markRead, world);
    return [];
  }
  try {
    const ids = await team.releaseTasksOf(name);
    return ids.map((id) => `task ${id} is pending again: ${name} had it`);
  } catch (error) {
    return [`the tasks of ${name} could not be given back: ${failureReason(error)}`];
  }
}

/** False when the member is ended before anything comes. */
async function mailCame({ joined, inbox, arrivals }: Teammate, world: TeammateWorld): Promise<boolean> {
  const { signal } = joined.live.agent;
  while (!signal.aborted) {
    const came = await deliver(joined.name, inbox, world);
    if (came !== undefined && came > 0) return true;
    // Whoever sent something here counts on its being worked on; what cannot be read is not.
    if (came === undefined) world.roster.turn(joined.name, 'idle');
    await arrivals.next(signal);
  }
  return false;
}

const deliver = (name: string, inbox: Inbox, world: TeammateWorld): Promise<number | undefined> =>
  withMail(name, () => deliverMail(name, inbox, world.stored), world);

/** Undefined where its mailbox cannot be used; the user is told. */
async function withMail<Value>(
  name: string,
  work: () => Promise<Value>,
  { notice }: TeammateWorld,
): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    notice(`the mail of ${name} cannot be read: ${failureReason(error)}`);
    return undefined;
  }
}

/** Mail that came meanwhile goes before idling; then the TeammateIdle hooks are asked. */
function askIdle({ joined, team, inbox }: Teammate, world: TeammateWorld): AskStop {
  return async (_text, state, agent, session): Promise<StopVerdict> => {
    const came = (await deliver(agent.name, inbox, world)) ?? 0;
    if (came > 0) return { kind: 'continue' };
    const asked = await session.engine.dispatch(
      'TeammateIdle',
      { team_name: team.name, agent_id: joined.name, agent_name: joined.name },
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
