// The teams of one session: what `/peers` and the team tools do, for whoever asks.
import { failureReason } from '@codey/hooks';
import type { Session } from '../session/session.ts';
import type { Crew } from '../subagents/crew.ts';
import type { LiveAgent } from '../subagents/live-agent.ts';
import type { Spawned } from '../subagents/subagents.ts';
import { type Answer, done, refused } from './answer.ts';
import { changeTask, completeTask, createTask, type NewTask } from './change-task.ts';
import type { Mail } from './mailbox.ts';
import { createOpenTeams, type OpenTeamsOptions } from './open-teams.ts';
import { createArrivals, deliverMail } from './post.ts';
import { sendWithin } from './send-mail.ts';
import { type MemberRequest, spawnMember } from './spawn-member.ts';
import type { Task } from './task.ts';
import { lead, type Team } from './team.ts';

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
  spawn(request: MemberRequest, by: LiveAgent): Promise<Spawned>;
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

export interface SessionTeamsOptions extends OpenTeamsOptions {
  readonly crew: Crew;
  readonly stored: Session;
  readonly background: (work: Promise<unknown>) => void;
  readonly notice: (sentence: string) => void;
}

export function createSessionTeams(options: SessionTeamsOptions): SessionTeams {
  const { crew, stored } = options;
  const { roster } = crew;
  const teams = createOpenTeams(options);
  const { within } = teams;
  const arrivals = createArrivals();
  const said = new Set<string>();
  /** A file that cannot be read now could not be read a second ago either. */
  const notice = (sentence: string): void => {
    if (!said.has(sentence)) options.notice(sentence);
    said.add(sentence);
  };

  return {
    open: () => teams.list().map(({ team }) => team.name),
    create: teams.create,
    async spawn(request, by) {
      const world = { ...options, arrivals, notice };
      const answer = await within(by.agent.name, async (open) =>
        done(await spawnMember(request, open, by, world)),
      );
      return answer.kind === 'done' ? answer.value : answer;
    },
    send: (mail, by) =>
      within(by.agent.name, (open) =>
        sendWithin({ ...mail, from: by.agent.name }, open, { roster, arrivals }),
      ),
    inbox: () => within(lead, async ({ mainInbox }) => done(await mainInbox.unread())),
    history: () => within(lead, async ({ team }) => done(await team.history())),
    members: () => within(lead, async ({ team }) => done(await statusOfMembers(team))),
    tasks: (by) =>
      within(by.agent.name, async ({ team }) => {
        await team.releaseOrphans();
        return done([...(await team.tasks.read()).list.values()]);
      }),
    createTask: (task, by) => within(by.agent.name, ({ team }) => createTask(task, team, by)),
    orderTask: (id, after, by) =>
      within(by.agent.name, ({ team }) => changeTask({ kind: 'order', id, after }, team)),
    claimTask: (id, by) =>
      within(by.agent.name, async ({ team }) => {
        await team.releaseOrphans();
        const claim = { kind: 'claim', by: by.agent.name, ...(id !== undefined && { id }) } as const;
        return changeTask(claim, team);
      }),
    releaseTask: (id, by) =>
      within(by.agent.name, ({ team }) => changeTask({ kind: 'release', id, by: by.agent.name }, team)),
    completeTask: (id, by) => within(by.agent.name, ({ team }) => completeTask(id, team, by)),
    shutdown: () =>
      within(lead, async ({ mates }) => {
        const names = [...mates.keys()];
        const lives = [...mates.values()];
        for (const name of names) roster.cancel(name);
        await Promise.all(lives);
        return done(names);
      }),
    cleanup: () =>
      within(lead, async ({ team }) => {
        const alive = await team.remove();
        if (alive.length > 0)
          return refused(
            `${alive.join(', ')} of team ${team.name} still live; shut them down where they run`,
          );
        teams.forget(team.name);
        return done(team.name);
      }),
    async deliverToMain() {
      for (const { team, mainInbox } of teams.list()) {
        await deliverMail(lead, mainInbox, stored).catch((error: unknown) =>
          notice(`the mail of team ${team.name} cannot be read: ${failureReason(error)}`),
        );
      }
    },
  };
}

async function statusOfMembers(team: Team): Promise<readonly MemberStatus[]> {
  const names = await team.members();
  return Promise.all(
    names.map(async (name) => ({
      name,
      alive: await team.isAlive(name),
      unread: (await team.inbox(name).unread()).length,
    })),
  );
}
