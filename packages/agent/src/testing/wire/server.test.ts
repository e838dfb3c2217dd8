// The servers must refuse what the real ones refuse, or the tests on them prove nothing.
import { afterEach, expect, it } from 'vitest';
import { startWireServer, type WireName, type WireServer } from './index.ts';

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const paths = {
  anthropic: '/v1/messages',
  openai: '/v1/responses',
  'openai-compatible': '/v1/chat/completions',
  google: '/v1beta/models/m:streamGenerateContent?alt=sse',
} as const satisfies Record<WireName, string>;

const headers = {
  authorization: 'Bearer k',
  'x-api-key': 'k',
  'anthropic-version': '1',
  'x-goog-api-key': 'k',
};
const max = { max_tokens: 1, stream: true };
const toolUse = { type: 'tool_use', id: 'a', name: 't', input: {} };
const words = { type: 'text', text: 'x' };
const userTurn = { role: 'user', content: [words] };
const chatCall = { role: 'assistant', content: null, tool_calls: [{ id: 'a' }] };
const functionCall = { functionCall: { name: 't', args: {} } };

it.each<[WireName, object, string]>([
  ['anthropic', { ...max, messages: [userTurn, userTurn] }, 'messages.1 has the role user'],
  [
    'anthropic',
    { ...max, messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }] },
    'non-empty',
  ],
  [
    'anthropic',
    { ...max, messages: [userTurn, { role: 'assistant', content: [toolUse] }, userTurn] },
    'without tool_result',
  ],
  [
    'anthropic',
    { ...max, messages: [userTurn, { role: 'assistant', content: [words] }] },
    'the last message',
  ],
  ['anthropic', { ...max, messages: [userTurn], tools: [{ name: 't' }] }, 'tool t has no schema'],
  [
    'anthropic',
    {
      ...max,
      messages: [
        userTurn,
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'a', signature: 'b' }] },
        userTurn,
      ],
    },
    'signature',
  ],
  [
    'openai',
    { stream: true, store: false, input: [{ type: 'function_call', call_id: 'a' }, { role: 'user' }] },
    'No tool output found',
  ],
  [
    'openai',
    { stream: true, store: false, input: [{ type: 'function_call_output', call_id: 'a' }] },
    'No tool call found',
  ],
  ['openai', { stream: true, input: [{ role: 'user', content: [words] }] }, 'store is not false'],
  [
    'openai-compatible',
    { stream: true, messages: [{ role: 'user', content: 'a' }, chatCall, { role: 'user', content: 'b' }] },
    'followed by tool messages',
  ],
  [
    'openai-compatible',
    {
      stream: true,
      messages: [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
      ],
    },
    'must alternate',
  ],
  ['openai-compatible', { stream: true, messages: [{ role: 'user', content: '' }] }, 'has no text'],
  [
    'google',
    {
      contents: [
        { role: 'user', parts: [{ text: 'a' }] },
        { role: 'model', parts: [functionCall] },
        { role: 'user', parts: [{ text: 'b' }] },
      ],
    },
    'function response parts',
  ],
  ['google', { contents: [{ role: 'model', parts: [{ text: 'a' }] }] }, 'does not begin with the user'],
])('%s refuses %j', async (wire, body, problem) => {
  const server = await startWireServer({ wire, story: [{ kind: 'turn', text: 'unused' }] });
  servers.push(server);
  const response = await fetch(server.url + paths[wire], {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(problem);
  expect(server.requests[0]?.problems.join()).toContain(problem);
});

it('says when its story is over', async () => {
  const server = await startWireServer({ wire: 'anthropic', story: [] });
  servers.push(server);
  const body = JSON.stringify({ ...max, messages: [userTurn] });
  const response = await fetch(server.url + paths.anthropic, { method: 'POST', headers, body });
  expect(await response.json()).toMatchObject({
    error: { message: 'the story of this server has no further answer' },
  });
});
