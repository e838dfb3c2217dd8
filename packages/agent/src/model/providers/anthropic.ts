// Anthropic's Messages API.
import { type Provider, windowFrom } from './provider.ts';

export const anthropic: Provider = {
  label: 'Anthropic',
  keyVariables: ['ANTHROPIC_API_KEY'],
  needsKey: true,
  address: 'https://api.anthropic.com/v1',
  baseUrlVariables: ['ANTHROPIC_BASE_URL'],
  // Anthropic's own clients want the address without the version, the one used here wants it with.
  version: { segment: 'v1', when: 'unless-versioned' },
  async load() {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return ({ apiKey, baseUrl, fetch }, model) =>
      createAnthropic({
        fetch,
        baseURL: baseUrl,
        ...(apiKey === undefined ? {} : { apiKey }),
      }).languageModel(model);
  },
  request: {
    // Everything up to the marks is read from the cache on the next turn, for a tenth of the price.
    cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    maxOutputTokens: (model) => (/claude/.test(model) ? undefined : 32_000),
    ownCallIds: false,
    carryPlainReasoning: false,
  },
  contextWindow: (model) => windowFrom([[/^claude/, 200_000]], model),
  overflow:
    /prompt is too long|exceeds? (?:the )?context (?:limit|window)|exceeds the maximum allowed number of bytes/i,
};
