// The teams of one session: what `/peers` and the team tools do, for whoever asks.
import { failureReason } from '@codey/hooks';
import type { Crew } from '../subagents/crew.ts';
import type { LiveAgent } from '../subagents/live-agent.ts';
import type { Spawned } from '../subagents/subagents.ts';
import { type Answer, done, refused } from './answer.ts';
import { changeTask, completeTask, createTask, type NewTask } from './change-task.ts';
import type { Mail } from './mailbox.ts';
import { isLeadName } from './names.ts';
import { createOpenTeams, nameIn, type OpenTeam, type OpenTeamsOptions } from './open-teams.ts';
import { createArrivals, deliverMail } from './post.ts';
import { sendWithin } from './send-mail.ts';
import { type MemberRequest, spawnMember } from './spawn-member.ts';
import type { Task } from './task.ts';

export interface MemberStatus {
  readonly name: string;
  /** Whether it leads; `self` is the main agent of this session. */
  readonly role: 'self' | 'lead' | 'member';
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
  /** Makes a team or opens one that is there, and uses it from now on. Gives back who the main agent is in it. */
  create(team: string): Promise<Answer<string>>;
  spawn(request: MemberRequest, by: LiveAgent): Promise<Spawned>;
  /** `to` is a member, a lead, or `*` for all others. Gives back to whom it went. */
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
  /** Ends one member that lives in this session, or all of them; mail and tasks stay. Gives back their names. */
  shutdown(member?: string): Promise<Answer<readonly string[]>>;
  /** Removes a team none of whose members is alive, with its mail and tasks; `team` is one this session has open. */
  cleanup(team?: string): Promise<Answer<string>>;
  /** Brings the main agent's mail into its conversation. */
  deliverToMain(): Promise<void>;
  /** The main agent has worked on all that was brought: it does not come again. */
  settleMain(): Promise<void>;
  /** The session leads no team any more; its members are gone before. */
  leave(): Promise<void>;
}

export interface SessionTeamsOptions extends OpenTeamsOptions {
  readonly crew: Crew;
  readonly background: (work: Promise<unknown>) => void;
}

export function createSessionTeams(options: SessionTeamsOptions): SessionTeams {
  const { crew, stored } = options;
  const { roster } = crew;
  const arrivals = createArrivals();
  const said = new Set<string>();
  /** A file that cannot be read now could not be read a second ago either. */
  const notice = (sentence: string): void => {
    if (!said.has(sentence)) options.notice(sentence);
    said.add(sentence);
  };
  const teams = createOpenTeams({ ...options, notice });
  const { within } = teams;

  async function eachMailbox(work: (open: OpenTeam) => Promise<unknown>): Promise<void> {
    await teams.reopen();
    for (const open of teams.list()) {
      await work(open).catch((error: unknown) =>
        notice(`the mail of team ${open.team.name} cannot be read: ${failureReason(error)}`),
      );
    }
  }

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
        sendWithin({ ...mail, from: senderIn(open, by.agent.name) }, open, { roster, arrivals }),
      ),
    inbox: () => within(main, async ({ lead }) => done(await lead.inbox.unread())),
    history: () => within(main, async ({ team }) => done(await team.history())),
    members: () => within(main, async (open) => done(await statusOfMembers(open))),
    tasks: (by) =>
      within(by.agent.name, async ({ team }) => {
        await team.releaseOrphans();
        return done([...(await team.tasks.read()).list.values()]);
      }),
    createTask: (task, by) => within(by.agent.name, ({ team }) => createTask(task, team, by)),
    orderTask: (id, after, by) =>
      within(by.agent.name, ({ team }) => changeTask({ kind: 'order', id, after }, team)),
    claimTask: (id, by) =>
      within(by.agent.name, async (open) => {
        await open.team.releaseOrphans();
        const claim = { kind: 'claim', by: nameIn(open, by.agent.name), session: stored.id } as const;
        return changeTask({ ...claim, ...(id !== undefined && { id }) }, open.team);
      }),
    releaseTask: (id, by) =>
      within(by.agent.name, (open) =>
        changeTask({ kind: 'release', id, by: nameIn(open, by.agent.name) }, open.team),
      ),
    completeTask: (id, by) =>
      within(by.agent.name, (open) => completeTask(id, open.team, by, nameIn(open, by.agent.name))),
    shutdown: (member) =>
      within(main, async ({ team, mates }) => {
        if (member !== undefined && !mates.has(member)) {
          const here = mates.size === 0 ? 'none' : [...mates.keys()].join(', ');
          return refused(`no member ${member} of team ${team.name} lives in this session (${here} does)`);
        }
        const ended = [...mates].filter(([name]) => member === undefined || name === member);
        for (const [name] of ended) roster.cancel(name);
        await Promise.all(ended.map(([, life]) => life));
        return done(ended.map(([name]) => name));
      }),
    cleanup: (named) =>
      within(
        main,
        async ({ team, lead }) => {
          const alive = await team.remove(lead.name);
          if (alive.length > 0)
            return refused(
              `${alive.join(', ')} of team ${team.name} still live; shut them down where they run`,
            );
          teams.forget(team.name);
          return done(team.name);
        },
        named,
      ),
    deliverToMain: () => eachMailbox(({ lead }) => deliverMail(main, lead.inbox, stored)),
    async settleMain() {
      await stored.flush();
      await eachMailbox(({ lead }) => lead.inbox.markRead());
    },
    leave: teams.leave,
  };
}

/** What the session calls the agent that leads. */
const main = 'main';

/** One that is no member has no mailbox: whom to answer shows in its name. */
function senderIn(open: OpenTeam, agent: string): string {
  const name = nameIn(open, agent);
  return name === agent || agent === main ? name : `${name}/${agent}`;
}

async function statusOfMembers({ team, lead }: OpenTeam): Promise<readonly MemberStatus[]> {
  const names = await team.members();
  return Promise.all(
    names.map(async (name) => ({
      name,
      role: name === lead.name ? 'self' : isLeadName(name) ? 'lead' : 'member',
      alive: await team.isAlive(name),
      unread: await team.unread(name),
    })),
  );
}
