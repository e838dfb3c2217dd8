// Runs the tool calls of one answer: reading ones side by side, the others in the order the model wrote them.
import { cancelledCall, executeCall } from '../gate/execute.ts';
import type { Executed } from '../gate/executed.ts';
import type { ToolCall } from '../model/model.ts';
import { runsSideBySide } from '../tools/registry.ts';
import type { AgentScope, SessionScope } from './scope.ts';

/** One result a call, in the order of the calls. A halt or an interrupt keeps the calls after it from running. */
export async function runCalls(
  calls: readonly ToolCall[],
  agent: AgentScope,
  session: SessionScope,
): Promise<readonly Executed[]> {
  const done: Executed[] = [];
  for (const batch of batches(calls, agent)) {
    if (agent.signal.aborted || done.some((executed) => executed.halt !== undefined)) {
      done.push(...batch.map(cancelledCall));
      continue;
    }
    done.push(...(await Promise.all(batch.map((call) => executeCall(call, agent, session)))));
  }
  return done;
}

/** Neighbouring calls that only read share a batch; every other call has one of its own. */
function batches(calls: readonly ToolCall[], agent: AgentScope): readonly (readonly ToolCall[])[] {
  const result: ToolCall[][] = [];
  let reading = false;
  for (const call of calls) {
    const tool = agent.tools.get(call.tool);
    const reads = tool !== undefined && runsSideBySide(tool);
    const last = result.at(-1);
    if (reads && reading && last !== undefined) last.push(call);
    else result.push([call]);
    reading = reads;
  }
  return result;
}
