// Asked when a teammate has nothing left to do.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';
import { agentId } from './fields.ts';

export const TeammateIdle = definePolicyEvent({
  name: 'TeammateIdle',
  family: 'Agents, teams, and worktrees',
  summary: 'When a teammate becomes idle.',
  get payload() {
    return {
      team_name: v.pipe(v.string(), v.description('Name of the team.')),
      agent_id: agentId(),
      agent_name: v.pipe(v.string(), v.description('Name of the teammate in its team.')),
    };
  },
  matchOn: { what: 'name of the teammate', value: (payload) => payload.agent_name },
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: 'The teammate is kept working with the reason as its next instruction, at most eight times.',
  output: ['continue'],
  textIsContext: false,
  envFile: false,
  example: { team_name: 'checkout', agent_id: 'tester', agent_name: 'tester' },
  since: '0.1.0',
});
