// Sends a message within a team: to one, or to all others.
import type { Roster } from '../subagents/roster.ts';
import { type Answer, done, refused } from './answer.ts';
import { longestMail } from './mailbox.ts';
import { isLeadName } from './names.ts';
import type { OpenTeam } from './open-teams.ts';
import type { Arrivals } from './post.ts';
import type { Team } from './team.ts';

export interface OutgoingMail {
  /** Who sends it, as the team knows it. */
  readonly from: string;
  /** A member, a lead, or `*` for all others. */
  readonly to: string;
  readonly text: string;
}

/** Gives back to whom it went, when it cannot be lost any more. Rejects with what the file system throws. */
export async function sendWithin(
  { from, to, text }: OutgoingMail,
  { team, mates }: OpenTeam,
  { roster, arrivals }: { readonly roster: Roster; readonly arrivals: Arrivals },
): Promise<Answer<readonly string[]>> {
  if (text.length > longestMail) {
    return refused(
      `a message has at most ${longestMail} characters, this one ${text.length}; write a file and name it`,
    );
  }
  if (to === from) return refused('that would be a message to yourself');
  const others = (await team.members()).filter((name) => name !== from);
  if (to !== '*' && !others.includes(to)) {
    const there = others.length === 0 ? 'nobody else is in it' : `there are ${others.join(', ')}`;
    return refused(`there is no ${to} in team ${team.name}; ${there}`);
  }
  const addressees = to === '*' ? await withoutGoneLeads(others, team) : [to];
  if (addressees.length === 0) return refused(`nobody else is in team ${team.name}`);
  for (const addressee of addressees) {
    await team.send({ from, to: addressee, text });
    // From here on, so that nobody takes the moment before it looks for idleness.
    if (mates.has(addressee)) roster.turn(addressee, 'working');
  }
  arrivals.ring();
  return done(addressees);
}

/** A member comes again under its name; the next lead of that name is somebody else, whom this does not concern. */
async function withoutGoneLeads(names: readonly string[], team: Team): Promise<readonly string[]> {
  const alive = await Promise.all(names.map((name) => team.isAlive(name)));
  return names.filter((name, at) => alive[at] === true || !isLeadName(name));
}
