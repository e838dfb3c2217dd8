// The teams one session has open, and which of them an agent means.
import { failureReason } from '@codey/hooks';
import type { Session } from '../session/session.ts';
import { type Answer, done, refused } from './answer.ts';
import { openTeam, type Seat, type Team } from './team.ts';
import { isTeamName, listTeams } from './team-files.ts';

export interface OpenTeam {
  readonly team: Team;
  /** The main agent's, under the name it has in this team. */
  readonly lead: Seat;
  /** Members that live in this session, each with the end of its life. */
  readonly mates: Map<string, Promise<void>>;
}

/** What an agent of this session is called in the team. One that is no member works there in its lead's name. */
export function nameIn({ mates, lead }: OpenTeam, agent: string): string {
  return mates.has(agent) ? agent : lead.name;
}

export interface OpenTeams {
  /** The one in use last. */
  list(): readonly OpenTeam[];
  /** Takes the lead again in the teams an earlier part of the session had open, once. Never rejects. */
  reopen(): Promise<void>;
  /** Makes a team or opens one that is there, and uses it from now on. Gives back who the main agent is in it. Never rejects. */
  create(name: string): Promise<Answer<string>>;
  /** The team is no more. */
  forget(name: string): void;
  /** Runs what needs a team: the one named, else an agent's own, else the one in use. What the file system throws becomes a sentence. */
  within<Value>(
    agent: string,
    work: (open: OpenTeam) => Promise<Answer<Value>>,
    named?: string,
  ): Promise<Answer<Value>>;
  /** Every lead's seat is free. Never rejects. */
  leave(): Promise<void>;
}

export interface OpenTeamsOptions {
  readonly stored: Session;
  /** `~/.codey/teams`; absent where there is no home directory. */
  readonly teamsFolder: string | undefined;
  readonly pid: number;
  readonly date: () => Date;
  readonly notice: (sentence: string) => void;
}

export function createOpenTeams(options: OpenTeamsOptions): OpenTeams {
  const { stored, teamsFolder, pid, date, notice } = options;
  const teams = new Map<string, OpenTeam>();
  let reopened: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function teamOf(agent: string): OpenTeam | undefined {
    const all = [...teams.values()];
    return all.find(({ mates }) => mates.has(agent)) ?? all.at(-1);
  }

  async function open(name: string, wanted?: string): Promise<Answer<string>> {
    if (teamsFolder === undefined)
      return refused('a team needs a place for its mail and tasks, and HOME is not set');
    try {
      const known = teams.get(name);
      const next = known ?? (await enter(teamsFolder, name, wanted));
      // Behind the others, as the one in use.
      teams.delete(name);
      teams.set(name, next);
      stored.append({ kind: 'team', team: name, state: 'opened', lead: next.lead.name });
      return done(next.lead.name);
    } catch (error) {
      return refused(`the team ${name} cannot be made in ${teamsFolder}: ${failureReason(error)}`);
    }
  }

  async function enter(folder: string, name: string, wanted?: string): Promise<OpenTeam> {
    const team = await openTeam({ teamsFolder: folder, name, session: stored.id, pid, date });
    const lead = await team.lead(wanted);
    for (const lost of await team.takeLost()) notice(`team ${name}: ${lost}`);
    return { team, lead, mates: new Map() };
  }

  async function openAgain(): Promise<void> {
    // As they were: opening one again moves it behind the others.
    const before = Array.from(stored.state().teams);
    const there = teamsFolder === undefined ? [] : await listTeams(teamsFolder);
    for (const [name, wanted] of before) {
      if (!there.includes(name)) {
        forget(name);
        notice(`the team ${name} was removed meanwhile`);
        continue;
      }
      const opened = await open(name, wanted);
      if (opened.kind === 'refused') notice(opened.reason);
      else if (opened.value !== wanted) sayRenamed(name, wanted, opened.value);
    }
  }

  function forget(name: string): void {
    teams.delete(name);
    stored.append({ kind: 'team', team: name, state: 'closed' });
  }

  /** The conversation so far speaks of another name. */
  function sayRenamed(team: string, before: string, now: string): void {
    const text = `You are ${now} in team ${team} now: another session leads it as ${before}.`;
    stored.append({ kind: 'context', agent: 'main', text, source: `team ${team}`, from: { kind: 'host' } });
    notice(`this session is ${now} in team ${team} now: another one leads it as ${before}`);
  }

  async function sayNone(): Promise<string> {
    const there = teamsFolder === undefined ? [] : await listTeams(teamsFolder);
    const known = there.length === 0 ? '' : `, or open one that is there: ${there.join(', ')}`;
    return `there is no team in this session yet; create one first${known}`;
  }

  function sayNotOpen(name: string): string {
    return `the team ${name} is not open in this session; there are ${[...teams.keys()].join(', ')}`;
  }

  function reopen(): Promise<void> {
    reopened ??= openAgain();
    return reopened;
  }

  return {
    list: () => [...teams.values()],
    reopen,
    async create(name) {
      if (!isTeamName(name)) {
        return refused(
          `"${name}" cannot be the name of a team: small letters, digits, - and _, at most 40, a letter first`,
        );
      }
      await reopen();
      // One after another: two at once would take two seats in one team.
      const opened = last.then(() => open(name));
      last = opened;
      return opened;
    },
    forget,
    async within(agent, work, named) {
      await reopen();
      const meant = named === undefined ? teamOf(agent) : teams.get(named);
      if (meant === undefined)
        return refused(named === undefined || teams.size === 0 ? await sayNone() : sayNotOpen(named));
      try {
        return await work(meant);
      } catch (error) {
        const { name, folder } = meant.team;
        return refused(`the files of team ${name} in ${folder} cannot be used: ${failureReason(error)}`);
      }
    },
    async leave() {
      await reopened;
      await last;
      for (const { lead } of teams.values()) await lead.leave();
      teams.clear();
    },
  };
}
