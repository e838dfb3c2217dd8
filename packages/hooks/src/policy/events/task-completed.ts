// Asked when a team task was marked as completed.
import { definePolicyEvent } from '../define-event.ts';
import { taskFields } from './fields.ts';

export const TaskCompleted = definePolicyEvent({
  name: 'TaskCompleted',
  family: 'Agents, teams, and worktrees',
  summary: 'When a task of a team is marked as completed.',
  get payload() {
    return taskFields();
  },
  matchOn: { what: 'task id', value: (payload) => payload.task_id },
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: 'The task goes back to its earlier state and whoever completed it gets the reason.',
  output: [],
  textIsContext: false,
  envFile: false,
  example: {
    task_id: '4',
    subject: 'Cover the tax rules with tests',
    description: 'One test for each rate in src/tax.ts.',
    status: 'completed',
    owner: 'tester',
    team: 'checkout',
  },
  since: '0.1.0',
});
