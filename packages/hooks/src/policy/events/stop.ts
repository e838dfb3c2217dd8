// Asked when the agent has given its final answer.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';
import { agentType, stopHookActive, stopHookCount } from './fields.ts';

export const Stop = definePolicyEvent({
  name: 'Stop',
  family: 'Session lifecycle',
  summary: 'When the agent has given its final answer to a prompt, before the run ends.',
  get payload() {
    return {
      agent_type: agentType(),
      last_assistant_message: v.pipe(v.string(), v.description('The final answer.')),
      stop_hook_active: stopHookActive(),
      stop_hook_count: stopHookCount(),
    };
  },
  matchOn: null,
  inRun: true,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: 'The run ends with an error that carries the reason.',
  output: ['continue', 'additionalContext'],
  textIsContext: false,
  envFile: false,
  example: {
    agent_type: 'main',
    last_assistant_message: 'The cart total now includes tax.',
    stop_hook_active: false,
    stop_hook_count: 0,
  },
  since: '0.1.0',
});
