// Adds a member to a team: it takes its place among the living, then works until it is ended.
import { failureReason } from '@codey/hooks';
import type { Session } from '../session/session.ts';
import type { Crew } from '../subagents/crew.ts';
import type { LiveAgent } from '../subagents/live-agent.ts';
import type { Spawned } from '../subagents/subagents.ts';
import { refused } from './answer.ts';
import { isMemberName } from './names.ts';
import { nameIn, type OpenTeam } from './open-teams.ts';
import type { Arrivals } from './post.ts';
import { workInTeam } from './teammate.ts';

export interface MemberRequest {
  readonly name: string;
  readonly type: string;
  readonly prompt: string;
}

export interface MemberWorld {
  readonly crew: Crew;
  readonly stored: Session;
  readonly arrivals: Arrivals;
  /** Work nobody waits for now, but leaving does. */
  readonly background: (work: Promise<unknown>) => void;
  readonly notice: (sentence: string) => void;
}

/** Rejects with what the file system throws. */
export async function spawnMember(
  { name, type, prompt }: MemberRequest,
  open: OpenTeam,
  by: LiveAgent,
  world: MemberWorld,
): Promise<Spawned> {
  const { team, mates } = open;
  const { crew, stored, arrivals, notice } = world;
  const definition = crew.find(type);
  if (typeof definition === 'string') return refused(definition);
  if (!isMemberName(name)) {
    return refused(
      `"${name}" cannot be the name of a member: letters, digits, - and _, at most 40, a letter first`,
    );
  }
  const seat = await team.enter(name);
  if (seat === undefined) return refused(`${name} is alive in team ${team.name} already; send it a message`);
  const from = { kind: 'model', model: by.agent.model.id } as const;
  const membership = { name: team.name, starter: nameIn(open, by.agent.name) };
  const joined = await crew.join({ definition, name, prompt, from, team: membership, keepsName: true }, by);
  if (joined.kind === 'refused') {
    await seat.leave();
    return joined;
  }
  const life = workInTeam(
    { joined, team, inbox: seat.inbox, arrivals },
    { stored, roster: crew.roster, notice },
  )
    // First the seat, then the tasks: they are only taken from a member that is gone.
    .then(seat.leave)
    .then(team.releaseOrphans)
    .then(
      () => {},
      (error: unknown) => notice(`${name} did not leave team ${team.name} in order: ${failureReason(error)}`),
    )
    .finally(() => mates.delete(name));
  mates.set(name, life);
  world.background(life);
  return { kind: 'started', name, ...(joined.worktree !== undefined && { worktree: joined.worktree }) };
}
