// The tools with which one agent works in a team: each acts in that agent's name.
import type { LiveAgent } from '../subagents/live-agent.ts';
import { createSendMessage } from '../tools/send-message.ts';
import { createTaskCreate } from '../tools/task-create.ts';
import { createTaskList } from '../tools/task-list.ts';
import { createTaskUpdate } from '../tools/task-update.ts';
import { createTeamCreate } from '../tools/team-create.ts';
import { createTeamShutdown } from '../tools/team-shutdown.ts';
import { createTeamSpawn } from '../tools/team-spawn.ts';
import type { Tool } from '../tools/tool.ts';
import type { SessionTeams } from './session-teams.ts';

/** `self` is read when a tool is used: an agent is made after its tools. */
export function teamTools(self: () => LiveAgent, teams: SessionTeams): readonly Tool[] {
  return [
    createTeamCreate({
      async create(team) {
        if (self().depth > 0) return { kind: 'refused', reason: 'only the main agent makes teams' };
        const created = await teams.create(team);
        if (created.kind === 'refused') return created;
        const answer = await teams.members();
        const members = answer.kind === 'done' ? answer.value : [];
        const others = members.filter(({ role }) => role !== 'self').map(({ name }) => name);
        return { kind: 'done', lead: created.value, members: others };
      },
    }),
    createTeamSpawn({ spawn: (request) => teams.spawn(request, self()) }),
    createTeamShutdown({
      async shutdown(member) {
        if (self().depth > 0) return { kind: 'refused', reason: 'only the main agent ends members' };
        return teams.shutdown(member);
      },
    }),
    createSendMessage({ send: (mail) => teams.send(mail, self()) }),
    createTaskCreate({ create: (task) => teams.createTask(task, self()) }),
    createTaskList({ list: () => teams.tasks(self()) }),
    createTaskUpdate({
      claim: (id) => teams.claimTask(id, self()),
      release: (id) => teams.releaseTask(id, self()),
      complete: (id) => teams.completeTask(id, self()),
      order: (id, after) => teams.orderTask(id, after, self()),
    }),
  ];
}
