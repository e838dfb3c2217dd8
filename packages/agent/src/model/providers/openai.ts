// OpenAI's Responses API.
import { type Provider, windowFrom } from './provider.ts';

export const openai: Provider = {
  label: 'OpenAI',
  keyVariables: ['OPENAI_API_KEY'],
  needsKey: true,
  address: 'https://api.openai.com/v1',
  baseUrlVariables: ['OPENAI_BASE_URL'],
  version: { segment: 'v1', when: 'bare-host' },
  async load() {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return ({ apiKey, baseUrl, fetch }, model) =>
      createOpenAI({
        fetch,
        baseURL: baseUrl,
        ...(apiKey === undefined ? {} : { apiKey }),
      }).responses(model);
  },
  request: {
    // Nothing is kept on the server: a session resumed next month must not depend on it. Reasoning then comes
    // encrypted and goes back with the answer it belongs to.
    options: { openai: { store: false } },
    // Left out, the API makes every optional argument required.
    strictTools: false,
    ownCallIds: false,
    carryPlainReasoning: false,
  },
  contextWindow: (model) =>
    windowFrom(
      [
        [/^gpt-4\.1/, 1_047_576],
        [/^gpt-4o|^gpt-4-turbo/, 128_000],
        [/^gpt-5/, 272_000],
        [/^o\d/, 200_000],
      ],
      model,
    ),
  overflow: /maximum context length|exceeds the context window|input (?:is )?too long/i,
};
