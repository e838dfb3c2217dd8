// What a file in an agents folder says of one kind of agent.
import type { HookDefinition, LifecycleHook, PermissionMode } from '@codey/hooks';

export interface AgentDefinition {
  /** The agent's type: what `@name`, `--agent` and spawn_agent call it by. */
  readonly name: string;
  /** When to use it, for the model that may start it. */
  readonly description: string;
  /** What it is told beside how to work; may be empty. */
  readonly role: string;
  /** The only tools it may have; absent for all that whoever starts it has. */
  readonly tools?: readonly string[];
  /** Absent for the model of whoever starts it. */
  readonly model?: string;
  readonly isolation?: 'worktree';
  /** Never looser than that of whoever starts it. */
  readonly mode?: PermissionMode;
  /** In force for this agent only, while it runs. */
  readonly hooks: {
    readonly policy: readonly HookDefinition[];
    readonly lifecycle: readonly LifecycleHook[];
  };
  /** Absolute; absent for an agent that is built in. */
  readonly file?: string;
}

/** Always there, so that an agent can be started where nobody defined one. A file of that name takes its place. */
export const generalAgent: AgentDefinition = {
  name: 'general',
  description: 'Any piece of work that can be described in a prompt; has the same tools as you.',
  role: '',
  hooks: { policy: [], lifecycle: [] },
};

/** What `/fork` starts. No file can be named so. */
export const forkedAgent: AgentDefinition = {
  name: 'fork',
  description: 'Started by the user with /fork.',
  role: '',
  hooks: { policy: [], lifecycle: [] },
};
