// The teams one session has open, and which of them an agent means.
import { failureReason } from '@codey/hooks';
import { type Answer, done, refused } from './answer.ts';
import type { Inbox } from './mailbox.ts';
import { lead, openTeam, type Team } from './team.ts';
import { isTeamName } from './team-files.ts';

export interface OpenTeam {
  readonly team: Team;
  readonly mainInbox: Inbox;
  /** Members that live in this session, each with the end of its life. */
  readonly mates: Map<string, Promise<void>>;
}

export interface OpenTeams {
  /** The one in use last. */
  list(): readonly OpenTeam[];
  /** Makes a team or opens one that is there, and uses it from now on. Never rejects. */
  create(name: string): Promise<Answer<string>>;
  forget(name: string): void;
  /** Runs what needs a team: an agent's own, or the one in use. What the file system throws becomes a sentence. */
  within<Value>(agent: string, work: (open: OpenTeam) => Promise<Answer<Value>>): Promise<Answer<Value>>;
}

export interface OpenTeamsOptions {
  /** `~/.codey/teams`; absent where there is no home directory. */
  readonly teamsFolder: string | undefined;
  readonly pid: number;
  readonly date: () => Date;
}

export function createOpenTeams({ teamsFolder, pid, date }: OpenTeamsOptions): OpenTeams {
  const teams = new Map<string, OpenTeam>();

  function teamOf(agent: string): OpenTeam | undefined {
    const all = [...teams.values()];
    return all.find(({ mates }) => mates.has(agent)) ?? all.at(-1);
  }

  return {
    list: () => [...teams.values()],
    async create(name) {
      if (teamsFolder === undefined)
        return refused('a team needs a place for its mail and tasks, and HOME is not set');
      if (!isTeamName(name)) {
        return refused(
          `"${name}" cannot be the name of a team: small letters, digits, - and _, at most 40, a letter first`,
        );
      }
      const known = teams.get(name);
      try {
        const team = known?.team ?? (await openTeam({ teamsFolder, name, pid, date }));
        teams.delete(name);
        teams.set(name, known ?? { team, mainInbox: team.inbox(lead), mates: new Map() });
        return done(name);
      } catch (error) {
        return refused(`the team ${name} cannot be made in ${teamsFolder}: ${failureReason(error)}`);
      }
    },
    forget: (name) => void teams.delete(name),
    async within(agent, work) {
      const open = teamOf(agent);
      if (open === undefined) return refused('there is no team in this session yet; create one first');
      try {
        return await work(open);
      } catch (error) {
        const { name, folder } = open.team;
        return refused(`the files of team ${name} in ${folder} cannot be used: ${failureReason(error)}`);
      }
    },
  };
}
