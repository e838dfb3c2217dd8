// Runs agent hooks: a model that can look at the workspace before it answers.
import type { Runner } from './runner.ts';
import {
  type ModelHookOptions,
  type ModelHookReply,
  type ModelHookRequest,
  runForVerdict,
} from './verdict-run.ts';

/** What an `agent` hook wants to know, for the host to ask a model with read-only tools. */
export interface AgentHookRequest extends ModelHookRequest {
  /** The directory its tools look at: that of the dispatching agent. */
  readonly workspace: string;
}

/**
 * Lets a model work with tools that only read and gives back its final answer. The host bounds the work, judges the
 * calls by rules and managed hooks, and lets none of them start another agent hook. Rejects with its own sentence.
 */
export type RunAgent = (request: AgentHookRequest) => Promise<ModelHookReply>;

export interface AgentRunnerOptions extends ModelHookOptions {
  readonly runAgent: RunAgent;
}

/** Runs `agent` hooks through the host's model and tools. */
export function createAgentRunner({ runAgent, ...options }: AgentRunnerOptions): Runner {
  return {
    async run(request) {
      const { handler } = request.hook;
      if (handler.type !== 'agent') throw new TypeError(`an agent runner was given a ${handler.type} hook`);
      const { workspace } = request;
      const { prompt, model } = handler;
      const ask = (asked: ModelHookRequest) => runAgent({ ...asked, workspace });
      return runForVerdict(request, { ...options, prompt, model, tools: true, ask });
    },
  };
}
