// Asked when a team task was created.
import { definePolicyEvent } from '../define-event.ts';
import { taskFields } from './fields.ts';

export const TaskCreated = definePolicyEvent({
  name: 'TaskCreated',
  family: 'Agents, teams, and worktrees',
  summary: 'When a task of a team is created.',
  get payload() {
    return taskFields();
  },
  matchOn: { what: 'task id', value: (payload) => payload.task_id },
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: 'The task is taken away again and whoever created it gets the reason.',
  output: [],
  textIsContext: false,
  envFile: false,
  example: {
    task_id: '4',
    subject: 'Cover the tax rules with tests',
    description: 'One test for each rate in src/tax.ts.',
    status: 'pending',
    owner: null,
    team: 'checkout',
  },
  since: '0.1.0',
});
