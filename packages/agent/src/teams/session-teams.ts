// The teams of one session: what `/peers` and the team tools do, for whoever asks.
import { failureReason } from '@codey/hooks';
import { refusalOf } from '../loop/refusal.ts';
import type { Session } from '../session/session.ts';
import type { Crew } from '../subagents/crew.ts';
import type { LiveAgent } from '../subagents/live-agent.ts';
import { isAgentName, reservedNames } from '../subagents/names.ts';
import type { Spawned } from '../subagents/subagents.ts';
import { longestMail, type Mail } from './mailbox.ts';
import { createArrivals, deliverMail } from './post.ts';
import type { Task } from './task.ts';
import type { Changed } from './task-list.ts';
import { lead, openTeam, type Team } from './team.ts';
import { isTeamName } from './team-files.ts';
import { workInTeam } from './teammate.ts';

/** What came of it, or a sentence on why nothing did. */
export type Answer<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'refused'; readonly reason: string };

export interface NewTask {
  readonly subject: string;
  readonly description?: string;
  /** Ids of tasks that must be completed first. */
  readonly after?: readonly string[];
}

export interface MemberStatus {
  readonly name: string;
  /** In this session or in another process. */
  readonly alive: boolean;
  /** Messages it has not read. */
  readonly unread: number;
}

/**
 * `by` is the agent in whose name something happens. A team is meant by the agent that belongs to it: a teammate's own,
 * for all others the one the session opened last. Nothing here rejects.
 */
export interface SessionTeams {
  /** Names of the teams this session has open, the one in use last. */
  open(): readonly string[];
  /** Makes a team or opens one that is there, and uses it from now on. */
  create(team: string): Promise<Answer<string>>;
  spawn(
    request: { readonly name: string; readonly type: string; readonly prompt: string },
    by: LiveAgent,
  ): Promise<Spawned>;
  /** `to` is a member, `main`, or `*` for all others. Gives back to whom it went. */
  send(
    mail: { readonly to: string; readonly text: string },
    by: LiveAgent,
  ): Promise<Answer<readonly string[]>>;
  /** What the main agent was sent and has not read. */
  inbox(): Promise<Answer<readonly Mail[]>>;
  history(): Promise<Answer<readonly Mail[]>>;
  members(): Promise<Answer<readonly MemberStatus[]>>;
  tasks(by: LiveAgent): Promise<Answer<readonly Task[]>>;
  createTask(task: NewTask, by: LiveAgent): Promise<Answer<Task>>;
  /** What a task comes after, anew. */
  orderTask(id: string, after: readonly string[], by: LiveAgent): Promise<Answer<Task>>;
  /** Without an id: the first that is ready. */
  claimTask(id: string | undefined, by: LiveAgent): Promise<Answer<Task>>;
  releaseTask(id: string, by: LiveAgent): Promise<Answer<Task>>;
  completeTask(id: string, by: LiveAgent): Promise<Answer<Task>>;
  /** Ends the members that live in this session; mail and tasks stay. Gives back their names. */
  shutdown(): Promise<Answer<readonly string[]>>;
  /** Removes a team none of whose members is alive, with its mail and tasks. */
  cleanup(): Promise<Answer<string>>;
  /** Brings the main agent's mail into its conversation. */
  deliverToMain(): Promise<void>;
}

export interface SessionTeamsOptions {
  /** `~/.codey/teams`; absent where there is no home directory. */
  readonly teamsFolder: string | undefined;
  readonly pid: number;
  readonly date: () => Date;
  readonly crew: Crew;
  readonly stored: Session;
  readonly background: (work: Promise<unknown>) => void;
  readonly notice: (sentence: string) => void;
}

interface OpenTeam {
  readonly team: Team;
  readonly mainInbox: ReturnType<Team['inbox']>;
  /** Members that live here. */
  readonly mates: Map<string, Promise<void>>;
}

export function createSessionTeams(options: SessionTeamsOptions): SessionTeams {
  const { teamsFolder, crew, stored } = options;
  const teams = new Map<string, OpenTeam>();
  const teamOfMember = new Map<string, OpenTeam>();
  const arrivals = createArrivals();
  const said = new Set<string>();
  /** A file that cannot be read now could not be read a second ago either. */
  const notice = (sentence: string): void => {
    if (!said.has(sentence)) options.notice(sentence);
    said.add(sentence);
  };

  const current = (): OpenTeam | undefined => [...teams.values()].at(-1);
  const teamOf = (agent: string): OpenTeam | undefined => teamOfMember.get(agent) ?? current();

  /** Runs what needs a team; what the file system throws becomes a sentence. */
  async function within<Value>(
    open: OpenTeam | undefined,
    work: (open: OpenTeam) => Promise<Answer<Value>>,
  ): Promise<Answer<Value>> {
    if (open === undefined) return refused('there is no team in this session yet; create one first');
    try {
      return await work(open);
    } catch (error) {
      return refused(
        `the files of team ${open.team.name} in ${open.team.folder} cannot be used: ${failureReason(error)}`,
      );
    }
  }

  async function create(name: string): Promise<Answer<string>> {
    if (teamsFolder === undefined)
      return refused('a team needs a place for its mail and tasks, and HOME is not set');
    if (!isTeamName(name))
      return refused(
        `"${name}" cannot be the name of a team: small letters, digits, - and _, at most 40, a letter first`,
      );
    const known = teams.get(name);
    teams.delete(name);
    try {
      const { pid, date } = options;
      const team = known?.team ?? (await openTeam({ teamsFolder, name, pid, date }));
      teams.set(name, known ?? { team, mainInbox: team.inbox(lead), mates: new Map() });
      return done(name);
    } catch (error) {
      return refused(`the team ${name} cannot be made in ${teamsFolder}: ${failureReason(error)}`);
    }
  }

  async function spawn(
    open: OpenTeam,
    { name, type, prompt }: Parameters<SessionTeams['spawn']>[0],
    by: LiveAgent,
  ): Promise<Spawned> {
    const { team, mates } = open;
    const definition = crew.find(type);
    if (typeof definition === 'string') return refused(definition);
    if (!isAgentName(name) || reservedNames.has(name))
      return refused(
        `"${name}" cannot be the name of a member: letters, digits, - and _, at most 40, a letter first`,
      );
    const leave = await team.enter(name);
    if (leave === undefined)
      return refused(`${name} is alive in team ${team.name} already; send it a message`);
    const joined = await crew.join(
      {
        definition,
        name,
        prompt,
        from: { kind: 'model', model: by.agent.model.id },
        team: team.name,
        keepsName: true,
      },
      by,
    );
    if (joined.kind === 'refused') {
      await leave();
      return joined;
    }
    teamOfMember.set(name, open);
    const mate = { joined, team: team.name, inbox: team.inbox(name), arrivals };
    const life = workInTeam(mate, { stored, roster: crew.roster, notice })
      // First the lock, then the tasks: they are only taken from a member that is gone.
      .then(leave)
      .then(() => team.releaseOrphans())
      .then(
        () => {},
        (error: unknown) =>
          notice(`${name} did not leave team ${team.name} in order: ${failureReason(error)}`),
      )
      .finally(() => {
        mates.delete(name);
        teamOfMember.delete(name);
      });
    mates.set(name, life);
    options.background(life);
    return { kind: 'started', name, ...(joined.worktree !== undefined && { worktree: joined.worktree }) };
  }

  async function send(
    { team, mates }: OpenTeam,
    to: string,
    text: string,
    from: string,
  ): Promise<Answer<readonly string[]>> {
    if (text.length > longestMail)
      return refused(
        `a message has at most ${longestMail} characters, this one ${text.length}; write a file and name it`,
      );
    const known = [...new Set([lead, ...(await team.members()), ...mates.keys()])];
    const others = known.filter((name) => name !== from);
    if (to !== '*' && !known.includes(to))
      return refused(`there is no ${to} in team ${team.name}; there are ${others.join(', ')}`);
    if (to === from) return refused('that would be a message to yourself');
    const addressees = to === '*' ? others : [to];
    for (const addressee of addressees) {
      await team.send({ from, to: addressee, text });
      // From here on, so that nobody takes the moment before it looks for idleness.
      if (mates.has(addressee)) crew.roster.turn(addressee, 'working');
    }
    arrivals.ring();
    return done(addressees);
  }

  /** Hooks are asked before anything is written, and no lock is held while they think. */
  async function createTask({ team }: OpenTeam, task: NewTask, by: LiveAgent): Promise<Answer<Task>> {
    const id = await team.tasks.reserve();
    const { subject, description = '', after = [] } = task;
    const change = { kind: 'create', id, subject, description, after } as const;
    const foreseen = await team.tasks.foresee(change);
    if (foreseen.kind === 'refused') return foreseen;
    const no = await askAboutTask('TaskCreated', foreseen.task, team, by);
    return no === undefined ? answered(await team.tasks.change(change)) : refused(no);
  }

  async function completeTask({ team }: OpenTeam, id: string, by: LiveAgent): Promise<Answer<Task>> {
    const change = { kind: 'complete', id, by: by.agent.name } as const;
    const foreseen = await team.tasks.foresee(change);
    if (foreseen.kind === 'refused') return foreseen;
    const no = await askAboutTask('TaskCompleted', foreseen.task, team, by);
    return no === undefined ? answered(await team.tasks.change(change)) : refused(no);
  }

  return {
    open: () => [...teams.keys()],
    create,
    async spawn(request, by) {
      const answer = await within(teamOf(by.agent.name), async (open) =>
        done(await spawn(open, request, by)),
      );
      return answer.kind === 'done' ? answer.value : answer;
    },
    send: ({ to, text }, by) => within(teamOf(by.agent.name), (open) => send(open, to, text, by.agent.name)),
    inbox: () => within(current(), async ({ mainInbox }) => done(await mainInbox.unread())),
    history: () => within(current(), async ({ team }) => done(await team.history())),
    members: () =>
      within(current(), async ({ team }) =>
        done(
          await Promise.all(
            (await team.members()).map(async (name) => ({
              name,
              alive: await team.isAlive(name),
              unread: (await team.inbox(name).unread()).length,
            })),
          ),
        ),
      ),
    tasks: (by) =>
      within(teamOf(by.agent.name), async ({ team }) => {
        await team.releaseOrphans();
        return done([...(await team.tasks.read()).list.values()]);
      }),
    createTask: (task, by) => within(teamOf(by.agent.name), (open) => createTask(open, task, by)),
    orderTask: (id, after, by) =>
      within(teamOf(by.agent.name), async ({ team }) =>
        answered(await team.tasks.change({ kind: 'order', id, after })),
      ),
    claimTask: (id, by) =>
      within(teamOf(by.agent.name), async ({ team }) => {
        await team.releaseOrphans();
        const claim = { kind: 'claim', by: by.agent.name, ...(id !== undefined && { id }) } as const;
        return answered(await team.tasks.change(claim));
      }),
    releaseTask: (id, by) =>
      within(teamOf(by.agent.name), async ({ team }) =>
        answered(await team.tasks.change({ kind: 'release', id, by: by.agent.name })),
      ),
    completeTask: (id, by) => within(teamOf(by.agent.name), (open) => completeTask(open, id, by)),
    shutdown: () =>
      within(current(), async ({ mates }) => {
        const names = [...mates.keys()];
        const lives = [...mates.values()];
        for (const name of names) crew.roster.cancel(name);
        await Promise.all(lives);
        return done(names);
      }),
    cleanup: () =>
      within(current(), async ({ team }) => {
        const alive = await team.remove();
        if (alive.length > 0)
          return refused(
            `${alive.join(', ')} of team ${team.name} still live; shut them down where they run`,
          );
        teams.delete(team.name);
        return done(team.name);
      }),
    async deliverToMain() {
      for (const open of teams.values()) {
        const delivered = await within(open, async ({ mainInbox }) =>
          done(await deliverMail(lead, mainInbox, stored)),
        );
        if (delivered.kind === 'refused') notice(delivered.reason);
      }
    },
  };
}

async function askAboutTask(
  event: 'TaskCreated' | 'TaskCompleted',
  { id, subject, description, status, owner }: Task,
  team: Team,
  by: LiveAgent,
): Promise<string | undefined> {
  const asked = await by.scope.engine.dispatch(
    event,
    { task_id: id, subject, description, status, owner, team: team.name },
    by.agent.dispatchContext(),
  );
  return refusalOf(asked);
}

function answered(changed: Changed): Answer<Task> {
  return changed.kind === 'changed' ? done(changed.task) : changed;
}

function done<Value>(value: Value): Answer<Value> {
  return { kind: 'done', value };
}

function refused(reason: string): { readonly kind: 'refused'; readonly reason: string } {
  return { kind: 'refused', reason };
}
