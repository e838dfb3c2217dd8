// Runs prompt hooks: one question to a model that has no tools.
import type { Runner } from './runner.ts';
import {
  type ModelHookOptions,
  type ModelHookReply,
  type ModelHookRequest,
  runForVerdict,
} from './verdict-run.ts';

/** Asks a model and gives back its whole answer. Rejects with the provider's or host's own sentence. */
export type AskModel = (request: ModelHookRequest) => Promise<ModelHookReply>;

export interface PromptRunnerOptions extends ModelHookOptions {
  readonly askModel: AskModel;
}

/** Runs `prompt` hooks by asking the host's model. */
export function createPromptRunner({ askModel, ...options }: PromptRunnerOptions): Runner {
  return {
    async run(request) {
      const { handler } = request.hook;
      if (handler.type !== 'prompt') throw new TypeError(`a prompt runner was given a ${handler.type} hook`);
      const { prompt, model } = handler;
      return runForVerdict(request, { ...options, prompt, model, tools: false, ask: askModel });
    },
  };
}
