// Answers prompt hooks: one model call without tools.
import type { AskModel } from '@codey/hooks';
import { hookAgent } from './hook-agent.ts';
import type { HookModels } from './hook-models.ts';

export function createAskModel(models: HookModels): AskModel {
  return async ({ system, text: question, model: id, signal }) => {
    const model = await models(id);
    const stream = model.stream({
      system,
      messages: [{ role: 'user', text: question }],
      tools: [],
      agent: hookAgent,
      signal,
    });
    let text = '';
    for await (const event of stream) {
      if (event.kind === 'text') text += event.text;
      // What came before a failed attempt is void.
      if (event.kind === 'retry') text = '';
      if (event.kind === 'finish') return { text, usage: event.usage };
    }
    return { text, usage: { input: 0, output: 0 } };
  };
}
