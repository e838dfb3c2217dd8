// Asked before a subagent makes its first model call.
import { definePolicyEvent } from '../define-event.ts';
import { agentId, agentType } from './fields.ts';

export const SubagentStart = definePolicyEvent({
  name: 'SubagentStart',
  family: 'Agents, teams, and worktrees',
  summary: 'Before a subagent runs: by `/fork`, an `@agent` mention or an agent definition.',
  get payload() {
    return { agent_id: agentId(), agent_type: agentType() };
  },
  matchOn: { what: 'agent type', value: (payload) => payload.agent_type },
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: 'The subagent is not started and the agent that wanted it gets the reason.',
  output: ['additionalContext'],
  textIsContext: false,
  envFile: false,
  example: { agent_id: 'reviewer-2', agent_type: 'reviewer' },
  since: '0.1.0',
});
