// What payloads say at a moment at which no agent is at work.
import type { DispatchContext } from './dispatch.ts';

/** The main agent in this workspace (absolute path): no turn, no model, nothing spent. A host adds what it knows better. */
export function quietContext(workspace: string): DispatchContext {
  return {
    agent: { id: 'main', type: 'main' },
    workspace,
    cwd: workspace,
    turn: null,
    model: '',
    permissionMode: 'default',
    transcriptPath: '',
    usage: { input_tokens: 0, output_tokens: 0, context_share: null },
  };
}
