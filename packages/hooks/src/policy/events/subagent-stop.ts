// Asked when a subagent is done, before its result goes to the agent that started it.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';
import { agentId, agentType, stopHookActive, stopHookCount } from './fields.ts';

export const SubagentStop = definePolicyEvent({
  name: 'SubagentStop',
  family: 'Agents, teams, and worktrees',
  summary: 'When a subagent has given its result, before the agent that started it gets it.',
  get payload() {
    return {
      agent_id: agentId(),
      agent_type: agentType(),
      output: v.pipe(v.string(), v.description('The result of the subagent.')),
      stop_hook_active: stopHookActive(),
      stop_hook_count: stopHookCount(),
    };
  },
  matchOn: { what: 'agent type', value: (payload) => payload.agent_type },
  inRun: true,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: 'The result is withheld and the agent that started the subagent gets the reason.',
  output: ['continue', 'additionalContext'],
  textIsContext: false,
  envFile: false,
  example: {
    agent_id: 'reviewer-2',
    agent_type: 'reviewer',
    output: 'Two findings, both in src/cart.ts.',
    stop_hook_active: false,
    stop_hook_count: 0,
  },
  since: '0.1.0',
});
