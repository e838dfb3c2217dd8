// The runners of hooks that a model answers, on this agent's own models, tools and gate.
import { createAgentRunner, createPromptRunner, type HookDefinition, type Runner } from '@codey/hooks';
import type { Usage } from '../model/model.ts';
import { createAskModel } from './ask-model.ts';
import { createHookModels, type HookModelOptions } from './hook-models.ts';
import type { HookSession } from './inside-hook.ts';
import { createRunAgent } from './run-agent.ts';

export interface ModelHookRunnersOptions {
  readonly models: HookModelOptions;
  /** Called when an agent hook runs, never before the session is put together. */
  readonly session: () => HookSession;
  /** Tokens of one answer: the session's own count does not hold them. */
  readonly onUsage?: (usage: Usage, hook: HookDefinition) => void;
}

export function createModelHookRunners(options: ModelHookRunnersOptions): {
  readonly prompt: Runner;
  readonly agent: Runner;
} {
  const models = createHookModels(options.models);
  const usage = options.onUsage === undefined ? {} : { onUsage: options.onUsage };
  return {
    prompt: createPromptRunner({ ...usage, askModel: createAskModel(models) }),
    agent: createAgentRunner({ ...usage, runAgent: createRunAgent(models, options.session) }),
  };
}
