// Conversations that a provider refuses as too long, in the words and formats of each of them.
import { startWireServer, type WireAnswer, type WireName, type WireServer } from '@codey/agent/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLines } from './play.ts';
import { group } from './settings.ts';
import { createStage, type RunOptions, type Stage } from './stage.ts';
import { openTerminal } from './tui-terminal.ts';

let stage: Stage;
let servers: WireServer[];
beforeEach(() => {
  stage = createStage();
  stage.write('log.txt', `${'It went on and on.\n'.repeat(400)}`);
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  stage.remove();
});

interface Maker {
  readonly wire: WireName;
  readonly model: string;
  readonly refusal: Extract<WireAnswer, { kind: 'error' }>;
  readonly environment: (url: string) => Readonly<Record<string, string>>;
}

const anthropic: Maker = {
  wire: 'anthropic',
  model: 'anthropic/claude-wire',
  refusal: {
    kind: 'error',
    status: 400,
    type: 'invalid_request_error',
    message: 'prompt is too long: 208310 tokens > 200000 maximum',
  },
  environment: (url) => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url }),
};

const makers: readonly Maker[] = [
  anthropic,
  {
    ...anthropic,
    refusal: {
      kind: 'error',
      status: 413,
      type: 'request_too_large',
      message: 'Request exceeds the maximum size',
    },
  },
  {
    ...anthropic,
    refusal: {
      kind: 'error',
      status: 400,
      type: 'invalid_request_error',
      message:
        'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    },
  },
  {
    wire: 'openai',
    model: 'openai/gpt-wire',
    refusal: {
      kind: 'error',
      status: 400,
      type: 'context_length_exceeded',
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    },
    environment: (url) => ({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1` }),
  },
  {
    wire: 'google',
    model: 'google/gemini-wire',
    refusal: {
      kind: 'error',
      status: 400,
      type: 'INVALID_ARGUMENT',
      message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
    },
    environment: (url) => ({ GEMINI_API_KEY: 'k', GEMINI_BASE_URL: url }),
  },
];

const look: WireAnswer = { kind: 'turn', calls: [{ tool: 'read_file', input: { path: 'log.txt' } }] };
const summary: WireAnswer = { kind: 'turn', text: '<summary>The log was read.</summary>' };
const done: WireAnswer = { kind: 'turn', text: 'It went on.' };

async function serve(maker: Maker, story: readonly WireAnswer[]): Promise<WireServer> {
  const server = await startWireServer({ wire: maker.wire, story });
  servers.push(server);
  return server;
}

function ask(maker: Maker, server: WireServer, args: readonly string[] = [], options: RunOptions = {}) {
  return stage.codey(['-p', 'What does the log say?', '--model', maker.model, ...args], {
    ...options,
    environment: maker.environment(server.url),
  });
}

/** Hooks that write what they are told into a file of the home, and then do as they are told here. */
function listen(then = ''): void {
  const note = group(`cat >> "$HOME/told"${then}`);
  stage.write('~/.codey/settings.json', {
    hooks: {
      PreCompact: [note],
      PostCompact: [group('cat >> "$HOME/told"')],
      StopFailure: [group('cat >> "$HOME/failed"')],
    },
  });
}
const told = () => readLines(stage.has('~/told') ? stage.read('~/told') : '');
const bodies = (server: WireServer) => server.requests.map(({ body }) => JSON.stringify(body));

describe.each(makers)('$model that refuses a conversation with $refusal.status $refusal.type', (maker) => {
  it('is asked again in a compacted conversation, with the hooks around it [koder.event.compact-trigger-auto] [koder.event.precompact-before] [koder.event.postcompact-after]', async () => {
    listen();
    const server = await serve(maker, [look, maker.refusal, summary, done]);
    const run = await ask(maker, server, ['--output-format', 'json']);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      result: 'It went on.',
      stop_reason: 'completed',
      turns: 2,
    });
    expect(run.stderr).toContain(maker.refusal.message);
    expect(run.stderr).toContain('compacting the conversation');
    expect(run.stderr).toMatch(/the conversation was compacted: 3 messages became 1/);
    expect(told()).toMatchObject([
      { event: 'PreCompact', trigger: 'auto', messages_before: 3, turn: 2 },
      { event: 'PostCompact', trigger: 'auto', messages_before: 3, messages_after: 1 },
    ]);
    expect(stage.journal()).toEqual(
      expect.arrayContaining(
        ['PreCompact', 'PostCompact'].map((event) => expect.objectContaining({ kind: 'dispatch', event })),
      ),
    );
    expect(server.requests.flatMap(({ problems }) => problems)).toEqual([]);
    const [, refused, , again] = bodies(server);
    expect(refused).toContain('It went on and on.');
    expect(again).not.toContain('It went on and on.');
    expect(again).toContain('The log was read.');
    expect(again).toContain('What does the log say?');
  });
});

it('a second refusal ends the run with the provider’s sentence and what can be done [koder.event.stopfailure-on-error]', async () => {
  listen();
  const server = await serve(anthropic, [look, anthropic.refusal, summary, anthropic.refusal]);
  const run = await ask(anthropic, server);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  const sentence =
    'Anthropic: prompt is too long: 208310 tokens > 200000 maximum (HTTP 400); it is too long compacted as well: begin a new conversation (/clear), or choose a model with a larger window (/model)';
  expect(run.stderr).toContain(sentence);
  expect(JSON.parse(stage.read('~/failed'))).toMatchObject({ last_assistant_message: sentence });
  expect(server.requests).toHaveLength(4);
  expect(told()).toHaveLength(2);
});

it('a prompt that is too long by itself is not replaced by a summary of it', async () => {
  listen();
  const server = await serve(anthropic, [anthropic.refusal]);
  const run = await ask(anthropic, server);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('it could not be compacted: begin a new conversation (/clear)');
  expect(server.requests).toHaveLength(1);
  expect(told()).toEqual([]);
});

it('a hook that forbids the compaction is asked twice, ends the run and is named [koder.event.precompact-block]', async () => {
  listen('; echo "keep it all" >&2; exit 2');
  const server = await serve(anthropic, [look, anthropic.refusal]);
  const run = await ask(anthropic, server);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain('keep it all');
  expect(server.requests).toHaveLength(2);
  expect(told().map(({ event }) => event)).toEqual(['PreCompact', 'PreCompact']);
  expect(stage.has('~/failed')).toBe(false);
  expect(stage.journal()).toContainEqual(
    expect.objectContaining({
      event: 'run_end',
      reason: 'error',
      error: expect.stringMatching(/^ended by hook settings\.json:\d+$/),
    }),
  );
});

it('what was streamed before a refusal inside the stream is void', async () => {
  const server = await serve(anthropic, [
    look,
    {
      kind: 'stream-error',
      type: 'invalid_request_error',
      message: 'prompt is too long: 208310 tokens > 200000 maximum',
      turn: { text: 'This is a beginning without an end.' },
    },
    summary,
    done,
  ]);
  const run = await ask(anthropic, server, ['--output-format', 'stream-json']);
  expect(run.code).toBe(0);
  const lines = readLines(run.stdout);
  const types = lines.map(({ type }) => type).filter((type) => type !== 'text');
  expect(types).toEqual([
    'session',
    'turn',
    'answer',
    'tool_call',
    'tool_result',
    'turn',
    'overflow',
    'answer',
    'result',
  ]);
  expect(lines.find(({ type }) => type === 'overflow')).toMatchObject({
    agent: 'main',
    message: expect.stringContaining('prompt is too long'),
  });
  expect(lines.at(-1)).toMatchObject({ result: 'It went on.' });
});

it('the summary is asked for with less of the conversation where all of it is too long as well', async () => {
  const server = await serve(anthropic, [look, anthropic.refusal, anthropic.refusal, summary, done]);
  expect(await ask(anthropic, server)).toMatchObject({ code: 0, stdout: 'It went on.\n' });
  const [, , whole = '', half = ''] = bodies(server);
  expect(half.length).toBeLessThan(whole.length);
  expect(half).toContain('left out here');
});

it('the screen says that the conversation was too long, that it was compacted, and the answer', async () => {
  const server = await serve(anthropic, [look, anthropic.refusal, summary, done]);
  const terminal = openTerminal(stage, [], {
    args: ['--model', anthropic.model],
    environment: anthropic.environment(server.url),
  });
  try {
    await terminal.see(/\d project[\s\S]*Ask for something/);
    await terminal.type('What does the log say?\r', /It went on\./);
    expect(terminal.screen()).toMatch(
      /prompt is too long: 208310 tokens > 200000 maximum[\s\S]*compacting\s+the\s+conversation[\s\S]*the conversation was compacted: 3 messages became 1/,
    );
  } finally {
    terminal.kill('SIGHUP');
    await terminal.ended;
  }
});
