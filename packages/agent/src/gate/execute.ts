// The one executor: every tool call of every agent goes through here, and through nothing else.
import type { AgentScope, SessionScope } from '../loop/scope.ts';
import type { ToolCall } from '../model/model.ts';
import { approveCall } from './approve.ts';
import type { Executed } from './executed.ts';
import { prepareCall } from './prepare.ts';
import { runTool } from './run-tool.ts';

/**
 * A call is judged from start to end by the hooks that were in force when it began. Nothing here rejects: an interrupt
 * gives a cancelled result, so that the conversation never holds a call without one.
 */
export async function executeCall(
  call: ToolCall,
  agent: AgentScope,
  session: SessionScope,
): Promise<Executed> {
  const hooks = session.engine.pin();
  const prepared = await prepareCall(call, call.input, hooks, agent);
  if (prepared.kind === 'invalid') return invalidCall(call, prepared.message, agent, session);
  session.events({ kind: 'gate', agent: agent.name, id: call.id, tool: call.tool, input: call.input });
  const approval = await approveCall(prepared.call, agent, session);
  switch (approval.kind) {
    case 'approved':
      return runTool(call, approval, agent, session);
    case 'denied':
      session.events({
        kind: 'denied',
        agent: agent.name,
        id: call.id,
        tool: call.tool,
        input: call.input,
        reason: approval.reason,
      });
      return {
        call,
        output: approval.reason,
        failed: true,
        denied: approval.reason,
        contexts: approval.contexts,
        ...(approval.halt && { halt: approval.halt }),
      };
    case 'cancelled':
      return cancelledCall(call);
  }
}

function invalidCall(call: ToolCall, message: string, agent: AgentScope, session: SessionScope): Executed {
  const { id, tool, input } = call;
  session.events({ kind: 'invalid', agent: agent.name, id, tool, input, message });
  return failedCall(call, message);
}

/** The result of a call that an interrupt caught before it could run. */
export function cancelledCall(call: ToolCall): Executed {
  return { ...failedCall(call, 'The call was interrupted before it ran.') };
}

function failedCall(call: ToolCall, output: string): Executed {
  return { call, output, failed: true, contexts: [] };
}
