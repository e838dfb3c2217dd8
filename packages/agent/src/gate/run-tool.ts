// Runs an approved call and lets hooks see what came of it.
import { type Attributed, monotonicMs } from '@codey/hooks';
import type { AgentScope, SessionScope } from '../loop/scope.ts';
import type { ToolCall } from '../model/model.ts';
import type { ToolResult } from '../tools/tool.ts';
import type { Approved } from './approve.ts';
import type { Executed } from './executed.ts';
import { judgeFurther } from './permissions/judge-further.ts';

export async function runTool(
  call: ToolCall,
  approval: Approved,
  agent: AgentScope,
  session: SessionScope,
): Promise<Executed> {
  const { tool } = approval.call;
  const place = { session: session.id, agent: agent.name, turn: agent.turn, tool: tool.name };
  await session.bus.emit({ event: 'tool_start', ...place });
  session.events({
    kind: 'call',
    agent: agent.name,
    id: call.id,
    tool: tool.name,
    input: approval.call.input,
  });
  const started = monotonicMs();
  const result = await runSafely(approval, agent, session);
  const ms = monotonicMs() - started;
  await session.bus.emit({
    event: 'tool_result',
    ...place,
    error: result.kind === 'failed' ? result.error : '',
  });
  const after = await askAfterwards(approval, result, agent);
  const output = [
    ...rewriteNote(approval),
    after.replaced?.text ?? result.output,
    ...after.reasons.map((reason) => `[${reason.hook} says: ${reason.text}]`),
  ].join('\n');
  const failed = result.kind === 'failed';
  session.events({ kind: 'result', agent: agent.name, id: call.id, tool: tool.name, output, failed, ms });
  return {
    call,
    output,
    failed,
    contexts: [...approval.contexts, ...after.contexts],
    ...(after.halt && { halt: after.halt }),
  };
}

/** A tool that throws has a defect; the conversation goes on with a failed result that says so. */
async function runSafely(approval: Approved, agent: AgentScope, session: SessionScope): Promise<ToolResult> {
  const { tool, input, id, view } = approval.call;
  if (agent.signal.aborted)
    return { kind: 'failed', error: 'cancelled', output: 'The call was interrupted.' };
  try {
    return await tool.run(input, {
      workspace: agent.workspace,
      cwd: agent.cwd,
      extraDirs: session.extraDirs,
      signal: agent.signal,
      processes: session.processes,
      environment: session.environment(),
      report: (text) => session.events({ kind: 'progress', agent: agent.name, id, text }),
      ...agent.toolPorts,
      caller: { agent, session },
      refusal: judgeFurther(view, session.permissions().rules, agent.workspace),
      privateNetwork: approval.agreed,
    });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { kind: 'failed', error: 'failed', output: `${tool.name} failed: ${said}` };
  }
}

interface Afterwards {
  readonly contexts: readonly Attributed[];
  readonly reasons: readonly Attributed[];
  readonly replaced?: Attributed;
  readonly halt?: Attributed;
}

/** PostToolUseFailure first, then PostToolUse, which every completed call gets. An interrupted call completed nothing. */
async function askAfterwards(approval: Approved, result: ToolResult, agent: AgentScope): Promise<Afterwards> {
  if (result.kind === 'failed' && result.error === 'cancelled') return { contexts: [], reasons: [] };
  const { call } = approval;
  const about = { tool_name: call.tool.name, tool_input: call.input, tool_call_id: call.id };
  const failed = result.kind === 'failed';
  const context = agent.dispatchContext(call.id);
  const failure = failed
    ? await call.hooks.dispatch('PostToolUseFailure', { ...about, error: result.output }, context)
    : undefined;
  const after = await call.hooks.dispatch(
    'PostToolUse',
    { ...about, result: result.output, failed },
    context,
  );
  const decisions = failure === undefined ? [after] : [failure, after];
  const halt = decisions.find((decision) => decision.halt !== undefined)?.halt;
  return {
    contexts: decisions.flatMap((decision) => decision.contexts),
    reasons: decisions.flatMap(({ verdict }) => (verdict.kind === 'deny' ? verdict.reasons : [])),
    ...(after.updatedToolOutput && { replaced: after.updatedToolOutput }),
    ...(halt && { halt }),
  };
}

/** The model must not believe that what it wrote is what ran. */
function rewriteNote(approval: Approved): readonly string[] {
  if (approval.rewrittenBy.length === 0) return [];
  const by = approval.rewrittenBy.join('; ');
  return [
    `[The input of this call was changed before it ran, by ${by}. It ran with: ${JSON.stringify(approval.call.input)}]`,
  ];
}
