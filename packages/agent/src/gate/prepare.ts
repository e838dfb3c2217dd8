// Turns what the model wrote into a call that could run: a known tool, valid input, and a view for conditions.
import { describeCall, type Dispatcher } from '@codey/hooks';
import type { AgentScope, GateCall } from '../loop/scope.ts';
import type { ToolCall } from '../model/model.ts';
import { validateInput } from '../tools/validate.ts';

export type Prepared =
  | { readonly kind: 'call'; readonly call: GateCall }
  /** Cannot run whatever anybody says; the message is for the model. */
  | { readonly kind: 'invalid'; readonly message: string };

export async function prepareCall(
  call: ToolCall,
  input: Readonly<Record<string, unknown>>,
  hooks: Dispatcher,
  agent: AgentScope,
): Promise<Prepared> {
  const tool = agent.tools.get(call.tool);
  if (tool === undefined) return { kind: 'invalid', message: agent.tools.explainUnknown(call.tool) };
  if (call.invalid !== undefined)
    return { kind: 'invalid', message: `The input of ${call.tool} is not JSON: ${call.invalid}` };
  const validated = validateInput(tool, input);
  if (!validated.ok) return { kind: 'invalid', message: validated.message };
  const view = await describeCall(tool.name, tool.subject(validated.value), {
    workspace: agent.workspace,
    cwd: agent.cwd,
  });
  return { kind: 'call', call: { id: call.id, tool, input, view, hooks } };
}
