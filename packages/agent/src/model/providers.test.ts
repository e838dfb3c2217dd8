import { describe, expect, it } from 'vitest';
import { completeBaseUrl } from './base-url.ts';
import type { ModelErrorKind } from './model.ts';
import { createModel, type ModelSettings, preload } from './providers.ts';

const key = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' };

/** Where the first request of a model goes and with which key; nothing leaves the process. */
async function firstRequest(
  id: string,
  settings: ModelSettings,
): Promise<{ url: string; key: string | null }> {
  let seen = { url: '', key: null as string | null };
  const model = await createModel(id, {
    ...settings,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      const bearer = headers.get('authorization')?.replace('Bearer ', '') ?? null;
      seen = {
        url: new Request(input).url,
        key: headers.get('x-api-key') ?? headers.get('x-goog-api-key') ?? bearer,
      };
      return new Response('{"error":{"message":"stop here"}}', { status: 400 });
    },
  });
  const signal = new AbortController().signal;
  const request = { system: '', messages: [], tools: [], agent: { type: 'main', name: 'main' }, signal };
  const events = model.stream(request)[Symbol.asyncIterator]();
  await events.next().catch(() => {});
  return seen;
}

describe('a model’s provider', () => {
  it.each<[string, ModelSettings, { url: string; key: string | null }]>([
    ['anthropic/claude-x', { environment: key }, { url: 'https://api.anthropic.com/v1/messages', key: 'k' }],
    ['openai/gpt-x', { environment: key }, { url: 'https://api.openai.com/v1/responses', key: 'k' }],
    [
      'google/gemini-x',
      { environment: { GEMINI_API_KEY: 'first', GOOGLE_API_KEY: 'second' } },
      {
        url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
        key: 'first',
      },
    ],
    [
      'google/gemini-x',
      {
        environment: {
          GEMINI_API_KEY: '',
          GOOGLE_API_KEY: 'second',
          GOOGLE_GEMINI_BASE_URL: 'http://h/gemini',
        },
      },
      { url: 'http://h/gemini/v1beta/models/gemini-x:streamGenerateContent?alt=sse', key: 'second' },
    ],
    [
      'openai-compatible/meta/llama',
      { environment: {}, baseUrl: 'http://localhost:8080' },
      { url: 'http://localhost:8080/v1/chat/completions', key: null },
    ],
    [
      'openai-compatible/llama',
      { environment: { OPENAI_COMPATIBLE_API_KEY: 'k', OPENAI_COMPATIBLE_BASE_URL: 'http://h/api/' } },
      { url: 'http://h/api/chat/completions', key: 'k' },
    ],
    [
      'my-box/llama',
      { environment: { MY_BOX_API_KEY: 'k' }, providers: { 'my-box': { baseURL: 'http://box:1/v1' } } },
      { url: 'http://box:1/v1/chat/completions', key: 'k' },
    ],
    [
      'anthropic/claude-x',
      {
        environment: { ...key, WORK: 'work', ANTHROPIC_BASE_URL: 'http://env' },
        providers: { anthropic: { baseURL: 'http://settings', apiKeyEnv: 'WORK' } },
      },
      { url: 'http://settings/v1/messages', key: 'work' },
    ],
    [
      'anthropic/claude-x',
      {
        environment: key,
        providers: { anthropic: { baseURL: 'http://settings' } },
        baseUrl: 'http://flag/v1',
      },
      { url: 'http://flag/v1/messages', key: 'k' },
    ],
  ])('%s with %j is reached at its address', async (id, settings, expected) => {
    expect(await firstRequest(id, settings)).toEqual(expected);
  });

  it.each<[string, ModelSettings, ModelErrorKind, string]>([
    ['antropic/claude', { environment: {} }, 'invalid-request', 'did you mean anthropic?'],
    ['my-bix/x', { environment: {}, providers: { 'my-box': {} } }, 'invalid-request', 'did you mean my-box?'],
    [
      'constructor/x',
      { environment: {}, providers: {} },
      'invalid-request',
      'there is no provider "constructor"',
    ],
    ['claude-opus', { environment: {} }, 'invalid-request', 'did you mean anthropic/claude-opus?'],
    ['gpt-5', { environment: {} }, 'invalid-request', 'did you mean openai/gpt-5?'],
    [
      'llama',
      { environment: {} },
      'invalid-request',
      'providers: anthropic, openai, google, openai-compatible',
    ],
    ['openai/', { environment: key }, 'invalid-request', 'write <provider>/<model>'],
    ['script:', { environment: {} }, 'invalid-request', 'script:story.yaml'],
    [
      'anthropic/claude',
      { environment: {} },
      'authentication',
      'ANTHROPIC_API_KEY is not set; set it, or run codey setup',
    ],
    [
      'google/g',
      { environment: {} },
      'authentication',
      'GEMINI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY or GOOGLE_API_KEY',
    ],
    [
      'anthropic/claude',
      { environment: key, providers: { anthropic: { apiKeyEnv: 'WORK_KEY' } } },
      'authentication',
      'WORK_KEY is not set',
    ],
    [
      'openai-compatible/x',
      { environment: {} },
      'invalid-request',
      'give --base-url, set providers.openai-compatible.baseURL',
    ],
    [
      'openai/gpt',
      { environment: key, baseUrl: 'localhost:1' },
      'invalid-request',
      '"localhost:1" is not an http',
    ],
  ])('%s with %j cannot be right', async (id, settings, kind, sentence) => {
    await expect(createModel(id, settings)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(sentence),
    });
  });

  it('knows the window of known models only', async () => {
    const windows = ['anthropic/claude-x', 'openai/gpt-4o', 'openai/else'].map(
      async (id) => (await createModel(id, { environment: key })).contextWindow,
    );
    expect(await Promise.all(windows)).toEqual([200_000, 128_000, undefined]);
  });

  it('loads a script through the files it is given', async () => {
    const files = { readFile: async () => '- text: hi' };
    expect((await createModel('script:a.yaml', { environment: {}, files })).id).toBe('script:a.yaml');
  });

  it.each(['anthropic/x', 'my-box/x', 'script:x', 'nonsense', ''])('preloading %j never fails', (id) => {
    expect(() => preload(id)).not.toThrow();
  });
});

describe('a base URL', () => {
  const always = { segment: 'v1', when: 'unless-versioned' } as const;
  const bare = { segment: 'v1', when: 'bare-host' } as const;
  it.each([
    ['https://host', always, 'https://host/v1'],
    ['https://host/', always, 'https://host/v1'],
    ['https://host/v1', always, 'https://host/v1'],
    ['https://host/v1/', always, 'https://host/v1'],
    ['https://host/v1beta', always, 'https://host/v1beta'],
    ['https://host/proxy', always, 'https://host/proxy/v1'],
    ['https://host', bare, 'https://host/v1'],
    ['https://host/proxy//', bare, 'https://host/proxy'],
  ])('%s is completed by %j', (written, rule, complete) => {
    expect(completeBaseUrl(written, rule)).toBe(complete);
  });
});
