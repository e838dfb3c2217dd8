// Every provider against a server that speaks its wire format: the same rows for all of them.
import { afterEach, describe, expect, it } from 'vitest';
import { startWireServer, type WireAnswer, type WireName, type WireServer } from '../testing/wire/index.ts';
import { type Message, type Model, ModelError, type ModelEvent, type ToolDeclaration } from './model.ts';
import { createModel } from './providers.ts';

const wires = [
  { wire: 'anthropic', id: 'anthropic/claude-wire', key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL' },
  { wire: 'openai', id: 'openai/gpt-5-wire', key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL' },
  {
    wire: 'openai-compatible',
    id: 'openai-compatible/wire',
    key: 'OPENAI_COMPATIBLE_API_KEY',
    url: 'OPENAI_COMPATIBLE_BASE_URL',
  },
  { wire: 'google', id: 'google/gemini-wire', key: 'GEMINI_API_KEY', url: 'GEMINI_BASE_URL' },
] as const satisfies readonly { wire: WireName; id: string; key: string; url: string }[];

const secret = 'wire-secret-0123456789';

const shell: ToolDeclaration = {
  name: 'run_shell',
  description: 'Runs a command.',
  inputSchema: {
    type: 'object',
    properties: { command: { type: 'string' }, timeout: { type: 'number' } },
    required: ['command'],
    additionalProperties: false,
  },
};

const servers: WireServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

interface Table {
  readonly server: WireServer;
  readonly model: Model;
  /** Milliseconds of every wait between attempts. */
  readonly waits: readonly number[];
}

async function play(row: (typeof wires)[number], story: readonly WireAnswer[]): Promise<Table> {
  const server = await startWireServer({ wire: row.wire, story });
  servers.push(server);
  const waits: number[] = [];
  const model = await createModel(row.id, {
    environment: { [row.key]: secret, [row.url]: server.url },
    world: { wait: async (ms) => void waits.push(ms), random: () => 0, now: () => Date.UTC(2030, 0, 1) },
  });
  return { server, model, waits };
}

interface Asked {
  readonly events: readonly ModelEvent[];
  /** What a loop would keep: everything since the last retry. */
  readonly text: string;
  readonly reply: Extract<Message, { role: 'assistant' }>;
  readonly finish: Extract<ModelEvent, { kind: 'finish' }>;
}

const hello: Message = { role: 'user', text: 'hello' };

async function ask(
  model: Model,
  messages: readonly Message[] = [hello],
  signal = new AbortController().signal,
): Promise<Asked> {
  const events: ModelEvent[] = [];
  const request = {
    system: 'You are a test.',
    messages,
    tools: [shell],
    agent: { type: 'main', name: 'main' },
    signal,
  };
  for await (const event of model.stream(request)) events.push(event);
  const kept = events.slice(events.findLastIndex((event) => event.kind === 'retry') + 1);
  const text = kept.map((event) => (event.kind === 'text' ? event.text : '')).join('');
  const calls = kept.flatMap((event) => (event.kind === 'call' ? [event.call] : []));
  const finish = kept.at(-1);
  if (finish?.kind !== 'finish') throw new Error('the stream ended without finish');
  const carry = finish.carry === undefined ? {} : { carry: JSON.parse(JSON.stringify(finish.carry)) };
  return { events, text, reply: { role: 'assistant', text, calls, ...carry }, finish };
}

async function failure(answer: Promise<unknown>): Promise<ModelError> {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelError)) throw new Error(`expected a ModelError, got ${String(error)}`);
  return error;
}

const fine: WireAnswer = { kind: 'turn', text: 'All is well — ça marche ✓', usage: { input: 42, output: 7 } };

describe.each(wires)('$wire', (row) => {
  it('streams plain text in pieces and reports tokens', async () => {
    const { server, model } = await play(row, [fine]);
    const { text, events, finish } = await ask(model);
    expect(text).toBe('All is well — ça marche ✓');
    expect(events.filter((event) => event.kind === 'text').length).toBeGreaterThan(1);
    expect(finish).toMatchObject({ reason: 'stop', usage: { input: 42, output: 7 } });
    expect(server.requests.map((request) => request.problems)).toEqual([[]]);
    expect(JSON.stringify(server.requests[0]?.body)).toContain('You are a test.');
  });

  it('streams a tool call and takes the second turn with its result', async () => {
    const { server, model } = await play(row, [
      {
        kind: 'turn',
        text: 'I will look.',
        calls: [{ tool: 'run_shell', input: { command: 'echo "hi" && ls', timeout: 5 } }],
      },
      fine,
    ]);
    const first = await ask(model);
    expect(first.finish.reason).toBe('calls');
    expect(first.reply.calls).toMatchObject([
      { tool: 'run_shell', input: { command: 'echo "hi" && ls', timeout: 5 } },
    ]);
    const second = await ask(model, [hello, first.reply, resultOf(first, 0, 'hi')]);
    expect(second.finish.reason).toBe('stop');
    expect(server.requests.map((request) => request.problems)).toEqual([[], []]);
  });

  it('takes parallel calls, and their results in any order with context between them', async () => {
    const calls = ['a', 'b', 'c'].map((name) => ({ tool: 'run_shell', input: { command: `cat ${name}` } }));
    const { server, model } = await play(row, [{ kind: 'turn', calls }, fine]);
    const first = await ask(model);
    expect(first.reply.calls.map((call) => call.input.command)).toEqual(['cat a', 'cat b', 'cat c']);
    expect(new Set(first.reply.calls.map((call) => call.id)).size).toBe(3);
    await ask(model, [
      hello,
      first.reply,
      { role: 'context', text: 'formatted', source: 'PostToolUse hook settings.json:3' },
      resultOf(first, 2, 'C'),
      resultOf(first, 0, ''),
      resultOf(first, 1, 'B'),
    ]);
    expect(server.requests[1]?.problems).toEqual([]);
  });

  it('answers a call that an interrupt left without a result', async () => {
    const { server, model } = await play(row, [
      { kind: 'turn', calls: [{ tool: 'run_shell', input: { command: 'sleep 9' } }] },
      fine,
    ]);
    const first = await ask(model);
    await ask(model, [hello, first.reply, { role: 'user', text: 'stop that' }]);
    expect(server.requests[1]?.problems).toEqual([]);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('interrupted');
  });

  it('gives reasoning back as the provider signed it', async () => {
    const { server, model } = await play(row, [
      {
        kind: 'turn',
        reasoning: 'Let me think.',
        text: 'So:',
        calls: [{ tool: 'run_shell', input: { command: 'ls' } }],
      },
      fine,
    ]);
    const first = await ask(model);
    expect(first.events.some((event) => event.kind === 'reasoning')).toBe(true);
    expect(first.text).toBe('So:');
    await ask(model, [hello, first.reply, resultOf(first, 0, 'a')]);
    expect(server.requests[1]?.problems).toEqual([]);
    const sent = JSON.stringify(server.requests[1]?.body);
    expect(sent).toContain(
      row.wire === 'google' ? '"thoughtSignature":"c2lnbmVkOnJ1bl9zaGVsbA=="' : 'Let me think.',
    );
  });

  it('waits as long as a 429 asks for, says so, and goes on', async () => {
    const { server, model, waits } = await play(row, [
      { kind: 'error', status: 429, message: 'Slow down, please.', headers: { 'retry-after': '7' } },
      { kind: 'error', status: 429, message: 'Still too fast.', headers: { 'retry-after-ms': '1500' } },
      {
        kind: 'error',
        status: 429,
        message: 'Later.',
        headers: { 'retry-after': 'Tue, 01 Jan 2030 00:00:09 GMT' },
      },
      fine,
    ]);
    const { events, text } = await ask(model);
    expect(text).toBe('All is well — ça marche ✓');
    expect(waits).toEqual([7000, 1500, 9000]);
    expect(events.slice(0, 3)).toMatchObject([
      { kind: 'retry', attempt: 1, delayMs: 7000, message: expect.stringContaining('Slow down, please.') },
      { kind: 'retry', attempt: 2, delayMs: 1500 },
      { kind: 'retry', attempt: 3, delayMs: 9000 },
    ]);
    expect(server.requests).toHaveLength(4);
  });

  it('gives up on a wait that is too long to sit through', async () => {
    const { model, waits } = await play(row, [
      { kind: 'error', status: 429, message: 'Daily limit reached.', headers: { 'retry-after': '40000' } },
    ]);
    expect(await failure(ask(model))).toMatchObject({
      kind: 'rate-limit',
      message: expect.stringMatching(/Daily limit reached\..*667 minutes/),
    });
    expect(waits).toEqual([]);
  });

  it('asks five times when the server keeps failing, each wait twice as long', async () => {
    const { server, model, waits } = await play(
      row,
      Array.from({ length: 6 }, () => ({ kind: 'error', status: 500, message: 'Something broke.' }) as const),
    );
    expect(await failure(ask(model))).toMatchObject({
      kind: 'server',
      message: expect.stringContaining('Something broke. (HTTP 500)'),
    });
    expect(server.requests).toHaveLength(5);
    expect(waits).toEqual([500, 1000, 2000, 4000]);
  });

  it('calls an overloaded server so and asks again', async () => {
    const status = row.wire === 'anthropic' ? 529 : 503;
    const { model } = await play(row, [
      { kind: 'error', status, message: 'Overloaded' },
      ...Array.from({ length: 4 }, () => ({ kind: 'error', status, message: 'Overloaded' }) as const),
    ]);
    expect(await failure(ask(model))).toMatchObject({ kind: 'overloaded' });
  });

  it('asks again after an error inside the stream', async () => {
    const type = row.wire === 'google' ? 'UNAVAILABLE' : 'overloaded_error';
    const { model, waits } = await play(row, [
      { kind: 'stream-error', type, message: 'Overloaded' },
      { kind: 'stream-error', type, message: 'Overloaded', turn: { text: 'half of an ans' } },
      fine,
    ]);
    const { text, events } = await ask(model);
    expect(text).toBe('All is well — ça marche ✓');
    expect(waits).toHaveLength(2);
    expect(events.filter((event) => event.kind === 'retry').map((event) => event.message)).toEqual([
      expect.stringContaining('Overloaded'),
      expect.stringContaining('Overloaded'),
    ]);
  });

  it.each(['drop', 'cut'] as const)('voids what came before a %s connection and asks again', async (kind) => {
    const half = {
      text: 'This will be void.',
      calls: [{ tool: 'run_shell', input: { command: 'rm -rf build' } }],
    };
    const { server, model } = await play(row, [{ kind, turn: half }, fine]);
    const { events, text, reply } = await ask(model);
    expect(events.find((event) => event.kind === 'retry')?.message).toMatch(/connection was (?:lost|closed)/);
    expect(text).toBe('All is well — ça marche ✓');
    expect(reply.calls).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  it('reports a server that cannot be reached, with its address', async () => {
    const { server, model, waits } = await play(row, []);
    await server.close();
    servers.splice(0);
    const error = await failure(ask(model));
    expect(error.kind).toBe('network');
    expect(error.message).toContain(`cannot connect to ${server.url} (ECONNREFUSED)`);
    expect(waits).toHaveLength(4);
  });

  it('asks once more after garbage, then says so without quoting it', async () => {
    const garbage: WireAnswer = {
      kind: 'garbage',
      text: 'data: {"private words\n\ndata: {"other": "private words"}\n\n',
    };
    const { server, model } = await play(row, [garbage, garbage, fine]);
    const error = await failure(ask(model));
    expect(error).toMatchObject({ kind: 'malformed' });
    expect(error.message).not.toContain('private words');
    expect(server.requests).toHaveLength(2);
    expect((await ask(model)).text).toBe('All is well — ça marche ✓');
  });

  it('tells a web page from an answer', async () => {
    const page: WireAnswer = { kind: 'page', status: 200 };
    const { model } = await play(row, [page, page, { kind: 'page', status: 404 }]);
    expect(await failure(ask(model))).toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('answered with a web page'),
    });
    const error = await failure(ask(model));
    expect(error.kind).toBe('invalid-request');
    expect(error.message).not.toContain('<');
  });

  it('reports a refused key once, in the provider’s words and without the key', async () => {
    const { server, model } = await play(row, [
      {
        kind: 'error',
        status: 401,
        message: `Incorrect API key provided: ${secret}. See sk-proj-abcdefghijkl.`,
      },
    ]);
    const error = await failure(ask(model));
    expect(error.kind).toBe('authentication');
    expect(error.message).toContain('Incorrect API key provided: [hidden]. See [hidden].');
    expect(error.message).toContain(row.key);
    expect(error.message).toContain('codey setup');
    expect(server.requests).toHaveLength(1);
  });

  it.each([400, 404])('does not ask again after %i', async (status) => {
    const { server, model } = await play(row, [{ kind: 'error', status, message: 'No such model.' }]);
    expect(await failure(ask(model))).toMatchObject({
      kind: 'invalid-request',
      message: expect.stringContaining('No such model.'),
    });
    expect(server.requests).toHaveLength(1);
  });

  it('recognises a conversation that is too long', async () => {
    const sentence = {
      anthropic: 'prompt is too long: 210000 tokens > 200000 maximum',
      openai: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
      'openai-compatible':
        "This model's maximum context length is 8192 tokens. Please reduce the length of the messages.",
      google: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    }[row.wire];
    const { server, model } = await play(row, [{ kind: 'error', status: 400, message: sentence }]);
    expect(await failure(ask(model))).toMatchObject({
      kind: 'context-overflow',
      message: expect.stringContaining(sentence),
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([{ turn: { text: 'A very long answer that never ends' } }, {}])(
    'stops in the middle of a stream and closes the connection (%j)',
    async (hang) => {
      const { server, model, waits } = await play(row, [{ kind: 'hang', ...hang }]);
      const controller = new AbortController();
      const reason = new Error('interrupted by a test');
      const events: ModelEvent[] = [];
      const stream = model.stream({
        system: '',
        messages: [hello],
        tools: [],
        agent: { type: 'main', name: 'main' },
        signal: controller.signal,
      });
      const reading = (async () => {
        for await (const event of stream) {
          events.push(event);
          controller.abort(reason);
        }
      })();
      const request = await Promise.race([server.received(1), reading]);
      if (hang.turn === undefined) controller.abort(reason);
      await expect(reading).rejects.toBe(reason);
      await request?.abandoned;
      expect(waits).toEqual([]);
      expect(events.every((event) => event.kind === 'text')).toBe(true);
    },
  );

  it('closes the connection when the reader leaves early', async () => {
    const { server, model } = await play(row, [
      { kind: 'hang', turn: { text: 'A very long answer that never ends' } },
    ]);
    const signal = new AbortController().signal;
    const request = {
      system: '',
      messages: [hello],
      tools: [],
      agent: { type: 'main', name: 'main' },
      signal,
    };
    for await (const event of model.stream(request)) {
      expect(event.kind).toBe('text');
      break;
    }
    await server.requests[0]?.abandoned;
  });

  it('says when the answer ran into its limit', async () => {
    const { model } = await play(row, [{ kind: 'turn', text: 'and so', ends: 'length' }]);
    expect((await ask(model)).finish.reason).toBe('length');
  });
});

describe.each(wires.filter(({ wire }) => wire !== 'google'))('$wire arguments', (row) => {
  it.each([
    ['{"command": "ls', 'not complete JSON'],
    ['["ls"]', 'must be a JSON object, not a list'],
  ])('keeps a call whose arguments are %s, marked invalid', async (rawInput, why) => {
    const { server, model } = await play(row, [
      { kind: 'turn', calls: [{ tool: 'run_shell', rawInput }] },
      fine,
    ]);
    const first = await ask(model);
    expect(first.reply.calls).toMatchObject([
      { tool: 'run_shell', input: {}, invalid: expect.stringContaining(why) },
    ]);
    await ask(model, [hello, first.reply, { ...resultOf(first, 0, 'bad arguments'), failed: true }]);
    expect(server.requests[1]?.problems).toEqual([]);
  });

  it('renames a call whose id the conversation already used', async () => {
    const call = { id: 'call_0', tool: 'run_shell', input: { command: 'ls' } };
    const { model } = await play(row, [
      { kind: 'turn', calls: [call] },
      { kind: 'turn', calls: [call] },
    ]);
    const first = await ask(model);
    const second = await ask(model, [hello, first.reply, resultOf(first, 0, 'a')]);
    expect([first, second].map(({ reply }) => reply.calls[0]?.id)).toEqual(['call_0', 'call_0_2']);
  });
});

function resultOf(asked: Asked, index: number, output: string): Extract<Message, { role: 'tool' }> {
  const call = asked.reply.calls[index];
  if (call === undefined) throw new Error(`there is no call ${index}`);
  return { role: 'tool', callId: call.id, tool: call.tool, output, failed: false };
}
