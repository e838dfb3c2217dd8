// The teams as a person uses them: everything happens in the main agent's name.
import type { LiveAgent } from '../subagents/live-agent.ts';
import type { Spawned } from '../subagents/subagents.ts';
import type { Mail } from './mailbox.ts';
import type { Answer } from './answer.ts';
import type { NewTask } from './change-task.ts';
import type { MemberStatus, SessionTeams } from './session-teams.ts';
import type { MemberRequest } from './spawn-member.ts';
import type { Task } from './task.ts';

/** Nothing here rejects. What needs a team means the one that was created or opened last. */
export interface MainTeams {
  open(): readonly string[];
  /** Makes a team or opens one that is there, and uses it from now on. Gives back who the main agent is in it. */
  create(team: string): Promise<Answer<string>>;
  spawn(request: MemberRequest): Promise<Spawned>;
  /** `to` is a member, another lead, or `*` for all. Gives back to whom it went. */
  send(mail: { readonly to: string; readonly text: string }): Promise<Answer<readonly string[]>>;
  /** What was sent to the main agent and is not read; it reads it with its next step. */
  inbox(): Promise<Answer<readonly Mail[]>>;
  history(): Promise<Answer<readonly Mail[]>>;
  members(): Promise<Answer<readonly MemberStatus[]>>;
  tasks(): Promise<Answer<readonly Task[]>>;
  createTask(task: NewTask): Promise<Answer<Task>>;
  orderTask(id: string, after: readonly string[]): Promise<Answer<Task>>;
  claimTask(id?: string): Promise<Answer<Task>>;
  releaseTask(id: string): Promise<Answer<Task>>;
  completeTask(id: string): Promise<Answer<Task>>;
  /** Ends one member that lives in this session, or all of them; mail and tasks stay. Gives back their names. */
  shutdown(member?: string): Promise<Answer<readonly string[]>>;
  /** Removes a team none of whose members is alive, with its mail and tasks; `team` is one this session has open. */
  cleanup(team?: string): Promise<Answer<string>>;
}

export function teamsOfMain(teams: SessionTeams, main: () => LiveAgent): MainTeams {
  return {
    open: teams.open,
    create: teams.create,
    spawn: (request) => teams.spawn(request, main()),
    send: (mail) => teams.send(mail, main()),
    inbox: teams.inbox,
    history: teams.history,
    members: teams.members,
    tasks: () => teams.tasks(main()),
    createTask: (task) => teams.createTask(task, main()),
    orderTask: (id, after) => teams.orderTask(id, after, main()),
    claimTask: (id) => teams.claimTask(id, main()),
    releaseTask: (id) => teams.releaseTask(id, main()),
    completeTask: (id) => teams.completeTask(id, main()),
    shutdown: teams.shutdown,
    cleanup: teams.cleanup,
  };
}
