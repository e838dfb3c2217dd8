// Any server that speaks OpenAI's Chat Completions: gateways, other makers, models on the user's own machine.
import type { Provider } from './provider.ts';

/** `name` is what stands before the slash in the model's id. */
export function openaiCompatible(name: string): Provider {
  const variables = name.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  return {
    label: name,
    keyVariables: [`${variables}_API_KEY`],
    // A server on one's own machine seldom asks for one; if it does, its own refusal says so.
    needsKey: false,
    baseUrlVariables: [`${variables}_BASE_URL`],
    version: { segment: 'v1', when: 'bare-host' },
    async load() {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return ({ apiKey, baseUrl, fetch }, model) =>
        createOpenAICompatible({
          name: metadataName,
          fetch,
          baseURL: baseUrl,
          includeUsage: true,
          ...(apiKey === undefined ? {} : { apiKey }),
        }).chatModel(model);
    },
    request: {
      ownCallIds: true,
      carryPlainReasoning: true,
      // The client reports Gemini's signatures under its own name and wants them back under Google's.
      partOptions: (metadata) => ({ google: { ...metadata[metadataName] } }),
    },
    contextWindow: () => undefined,
    overflow:
      /context (?:length|size|window)|maximum (?:context|prompt|input) length|too many tokens|reduce the length|prompt is too long/i,
  };
}

/** Under it the client puts what a server adds to a call. */
const metadataName = 'compatible';
