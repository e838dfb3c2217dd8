// `/tasks`: the tasks of the team that is open, and what can be done with one.
import type { Answer, MainTeams, Task } from '@codey/agent';
import type { Command, CommandContext } from './command.ts';
import type { LiveList } from './live-list.ts';
import { sayingCreate, sayNoList } from './no-team.ts';

export const tasks: Command = {
  name: 'tasks',
  summary: "the team's tasks; add, claim, release, complete or order one",
  argument: '[add <subject>|claim [id]|release <id>|complete <id>|order <id> <ids>]',
  complete: () =>
    ['add ', 'claim ', 'release ', 'complete ', 'order '].map((value) => ({ value, label: value.trim() })),
  async run(context, argument) {
    const { session, say } = context;
    if (session === undefined) return say('plain', 'The session is not open.');
    await runTasks(session.agents.teams, argument, context);
  },
};

/** Also `/peers tasks …`. */
export async function runTasks(
  teams: MainTeams,
  argument: string,
  { say, showList }: Pick<CommandContext, 'say' | 'showList'>,
): Promise<void> {
  const [, verb = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(argument) ?? [];
  const [id = '', ...after] = rest.split(/[\s,]+/).filter(Boolean);
  const changed = (answer: Answer<Task>): void =>
    answer.kind === 'done'
      ? say('plain', `Task ${sayTask(answer.value)}`)
      : sayingCreate(say, teams)('error', answer.reason);
  if (verb === '') return showList(listTasks(teams));
  if (verb === 'add' && rest !== '') return changed(await teams.createTask({ subject: rest }));
  if (verb === 'order' && id !== '') return changed(await teams.orderTask(id, after));
  // The others are about one task, and the rest of the words would be passed over.
  const single = after.length === 0;
  if (verb === 'claim' && single) return changed(await teams.claimTask(id === '' ? undefined : id));
  if (verb === 'release' && id !== '' && single) return changed(await teams.releaseTask(id));
  if (verb === 'complete' && id !== '' && single) return changed(await teams.completeTask(id));
  say('error', `Write /tasks ${tasks.argument ?? ''}.`);
}

function listTasks(teams: MainTeams): LiveList {
  return {
    title: () => `Tasks of team ${teams.open().at(-1) ?? ''}`.trimEnd(),
    async read() {
      const answer = await teams.tasks();
      if (answer.kind === 'refused') return sayNoList(answer.reason, teams);
      if (answer.value.length === 0)
        return { kind: 'nothing', text: 'The team has no tasks. /tasks add <subject> makes one.' };
      const rows = answer.value.map((task) => [task.id, sayTask(task).slice(task.id.length + 2)] as const);
      return { kind: 'rows', rows };
    },
  };
}

function sayTask({ id, subject, status, owner, after }: Task): string {
  const parts = [subject, status.replace('_', ' '), ...(owner === null ? [] : [owner])];
  return `${id}: ${[...parts, ...(after.length === 0 ? [] : [`after ${after.join(', ')}`])].join(' · ')}`;
}
