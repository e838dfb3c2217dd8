// Google's Gemini API.
import { type Provider, windowFrom } from './provider.ts';

export const google: Provider = {
  label: 'Google',
  keyVariables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
  needsKey: true,
  address: 'https://generativelanguage.googleapis.com/v1beta',
  baseUrlVariables: [
    'GEMINI_BASE_URL',
    'GOOGLE_GEMINI_BASE_URL',
    'GOOGLE_GENERATIVE_AI_BASE_URL',
    'GOOGLE_BASE_URL',
  ],
  version: { segment: 'v1beta', when: 'unless-versioned' },
  async load() {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return ({ apiKey, baseUrl, fetch }, model) =>
      createGoogleGenerativeAI({
        fetch,
        baseURL: baseUrl,
        ...(apiKey === undefined ? {} : { apiKey }),
      }).languageModel(model);
  },
  request: { ownCallIds: false, carryPlainReasoning: false },
  contextWindow: (model) => windowFrom([[/^gemini/, 1_048_576]], model),
  overflow: /input token count.*exceeds the maximum|exceeds the maximum number of tokens/i,
};
