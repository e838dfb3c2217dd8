// Asks the SubagentStop hooks whether a subagent may stop and its result be handed over.
import type { AskStop } from '../loop/turns.ts';
import { settleStop } from '../loop/stop.ts';

export const askSubagentStop: AskStop = async (text, state, agent, session) => {
  const asked = await session.engine.dispatch(
    'SubagentStop',
    {
      agent_id: agent.name,
      agent_type: agent.type,
      output: text,
      stop_hook_active: state.active,
      stop_hook_count: state.count,
    },
    agent.dispatchContext(),
  );
  return settleStop('SubagentStop', asked, state, agent);
};
