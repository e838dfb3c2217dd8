// MCP servers as processes, and as something to reach on the network.
import { createServer, type Server } from 'node:http';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createProcessHost,
  type Decision,
  type DispatchContext,
  type JournalEntry,
  type ProcessHost,
} from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createToolWorld, type ToolWorld } from '../tools/tool-world.ts';
import type { Caller, Tool, ToolResult } from '../tools/tool.ts';
import { mostTools } from './choose-tools.ts';
import { elicit } from './elicit.ts';
import { parseDefinition } from './definition.ts';
import type { FormAnswer, FormPort, FormRequest } from './form-port.ts';
import { createMcp, type Mcp, type McpOptions } from './mcp.ts';

const fixture = fileURLToPath(new URL('../../test/fixtures/mcp-server.mjs', import.meta.url));
const never = new AbortController().signal;

let root: string;
let processes: ProcessHost;
let world: ToolWorld;
let mcp: Mcp | undefined;
let notices: string[];
let journal: JournalEntry[];
let dispatched: { readonly event: string; readonly payload: Readonly<Record<string, unknown>> }[];
/** What hooks say, by event. */
let hooks: Partial<Record<string, Partial<Decision>>>;
let prompts: string[];

const nothing: Decision = {
  verdict: { kind: 'none' },
  rewrittenBy: [],
  contexts: [],
  watchPaths: [],
  reports: [],
};

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'mcp-')));
  processes = createProcessHost();
  world = await createToolWorld();
  notices = [];
  journal = [];
  dispatched = [];
  hooks = {};
  prompts = [];
});
afterEach(async () => {
  await mcp?.close();
  mcp = undefined;
  expect(await processes.settle(10_000)).toBe(true);
  await world.dispose();
  await rm(root, { recursive: true, force: true });
});

function open(
  servers: Readonly<Record<string, unknown>>,
  more: Partial<McpOptions> & { readonly forms?: FormPort } = {},
): Mcp {
  const { forms, ...options } = more;
  mcp = createMcp({
    definitions: Object.entries(servers).map(([name, value]) =>
      parseDefinition(name, value, { place: 'settings.json', fromRepository: false, environment: {} }),
    ),
    program: { name: 'codey', version: '0.0.0' },
    cwd: root,
    roots: () => [root],
    environment: () => ({ PATH: process.env.PATH ?? '', TOKEN: 'from the session' }),
    withhold: () => ['TOKEN'],
    processes,
    notice: (text) => void notices.push(text),
    onChange: () => {},
    backOffMs: () => 1,
    elicit: (server, params, signal, { caller, oneOf }) =>
      elicit(server, params, signal, {
        hooks: {
          async dispatch(event, payload) {
            dispatched.push({ event, payload });
            return { ...nothing, ...hooks[event] };
          },
        },
        journal: { append: (entry) => void journal.push(entry), flush: async () => {} },
        asker: {
          agent: { name: caller?.agent.name ?? 'main', type: 'main' },
          ...(oneOf.length > 0 && { oneOf: oneOf.map((one) => one?.agent.name ?? 'main') }),
        },
        dispatchContext: () => ({}) as DispatchContext,
        wait(message, signal, ask) {
          prompts.push(message);
          return ask(signal);
        },
        notice: (text) => void notices.push(text),
        ...(forms !== undefined && { forms }),
      }),
    ...options,
  });
  return mcp;
}

const server = (...args: readonly string[]) => ({ command: process.execPath, args: [fixture, ...args] });

async function ready(
  servers: Readonly<Record<string, unknown>>,
  more: Parameters<typeof open>[1] = {},
): Promise<Mcp> {
  const opened = open(servers, more);
  await opened.ready(never);
  return opened;
}

function call(
  name: string,
  input: object = {},
  more: Parameters<ToolWorld['call']>[2] = {},
): Promise<ToolResult> {
  const tool = mcp?.tools().find((one) => one.name === name);
  if (tool === undefined)
    throw new Error(
      `there is no ${name} among ${mcp
        ?.tools()
        .map((one) => one.name)
        .join(', ')}`,
    );
  return world.call(tool, input, more);
}

describe('a server that is a process', () => {
  it('gives its tools, resources and prompts', async () => {
    const opened = await ready({ test: server() });
    expect(opened.servers()).toMatchObject([
      { name: 'test', status: { kind: 'ready' }, resources: 1, prompts: 1 },
    ]);
    expect(opened.tools().find(({ name }) => name === 'mcp__test__echo')).toMatchObject({
      description: 'Does echo.',
      access: 'network',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    });
    expect(opened.tools().find(({ name }) => name === 'mcp__test__die')).toMatchObject({ access: 'execute' });
    expect(await call('mcp__test__echo', { text: 'hello' })).toEqual({ kind: 'ok', output: 'hello' });
    expect(opened.instructions()).toEqual([{ server: 'test', text: 'Ask for echoes.' }]);
    expect(opened.resources()).toEqual([
      { server: 'test', uri: 'test://notes', name: 'Notes', description: '' },
    ]);
    expect(await opened.readResource('test', 'test://notes', never)).toEqual({
      kind: 'text',
      text: 'notes at test://notes\n[resource test://notes, image/png, 3 bytes, not shown]',
    });
    expect(opened.prompts()).toMatchObject([
      { server: 'test', name: 'review', arguments: [{ name: 'file', required: true }] },
    ]);
    expect(await opened.expandPrompt('test', 'review', { file: 'a.ts' }, never)).toEqual({
      kind: 'text',
      text: 'Review a.ts.',
    });
    expect(await opened.readResource('other', 'x', never)).toMatchObject({ kind: 'problem' });
    expect(await opened.expandPrompt('test', 'review', undefined as never, never)).toMatchObject({
      kind: 'problem',
    });
  });

  it.each([
    ['refuse', { kind: 'failed', error: 'failed', output: 'no such ticket' }],
    ['picture', { kind: 'ok', output: '[image, image/png, 3 bytes, not shown]' }],
    ['structured', { kind: 'ok', output: '{\n  "rows": 2\n}' }],
    ['nothing', { kind: 'ok', output: '[no output]' }],
  ] as const)('answers %s as something a model can read', async (tool, expected) => {
    await ready({ test: server() });
    expect(await call(`mcp__test__${tool}`)).toEqual(expected);
  });

  it('gives at most what a model should read', async () => {
    await ready({ test: server() });
    const { output } = await call('mcp__test__big');
    expect(output.length).toBeLessThan(31_000);
    expect(output).toContain('characters left out here');
  });

  it('may print noise between its messages', async () => {
    await ready({ test: server('--noise') });
    expect(await call('mcp__test__echo', { text: 'hello' })).toEqual({ kind: 'ok', output: 'hello' });
  });

  it('may offer things that are none, which cost it nothing else', async () => {
    const opened = await ready({ test: server('--odd') });
    expect(opened.tools().map(({ name }) => name)).toEqual(
      expect.arrayContaining(['mcp__test__echo', 'mcp__test__bare']),
    );
  });

  it('may name schemas on other machines, which nobody fetches', async () => {
    const opened = await ready({ test: server('--remote') });
    expect(opened.tools().find(({ name }) => name === 'mcp__test__echo')?.inputSchema).toEqual({
      type: 'object',
      properties: { a: {}, b: { $ref: '#/$defs/b' } },
      $defs: { b: { type: 'string' } },
    });
  });

  it('tells its progress', async () => {
    await ready({ test: server() });
    const reported: string[] = [];
    await call('mcp__test__progress', {}, { report: (text) => void reported.push(text) });
    expect(reported).toEqual(['half way\n']);
  });

  it('learns where the session works, and that nobody answers for a model', async () => {
    await ready({ test: server() });
    expect(JSON.parse((await call('mcp__test__roots')).output)).toEqual({
      roots: [{ uri: `file://${root}` }],
    });
    expect((await call('mcp__test__sample')).output).toContain(
      'codey does not answer sampling/createMessage',
    );
  });

  it('keeps to the directories in its own arguments where settings say that it is told no others', async () => {
    await ready({ test: { ...server(), roots: false } });
    expect((await call('mcp__test__roots')).output).toContain('codey does not answer roots/list');
  });

  it('may offer more later', async () => {
    let changed: () => void = () => {};
    const more = new Promise<void>((resolve) => {
      changed = resolve;
    });
    await ready(
      { test: server() },
      { onChange: () => mcp?.tools().some(({ name }) => name === 'mcp__test__added') && changed() },
    );
    await call('mcp__test__grow');
    await more;
    expect(await call('mcp__test__added')).toEqual({ kind: 'ok', output: 'added' });
  });

  it('of a repository does not get what is kept from its hooks', async () => {
    const definition = (fromRepository: boolean) =>
      parseDefinition('test', server(), { place: 'settings.json', fromRepository, environment: {} });
    for (const [fromRepository, output] of [
      [true, '(not set)'],
      [false, 'from the session'],
    ] as const) {
      await ready({}, { definitions: [definition(fromRepository)] });
      expect(await call('mcp__test__environment', { text: 'TOKEN' })).toEqual({ kind: 'ok', output });
      await mcp?.close();
    }
  });
});

describe('five thousand tools', () => {
  it('leave room for those of others, and the user learns how to choose', async () => {
    const opened = await ready({ many: server('--tools=5000'), test: server() });
    expect(opened.servers().map(({ tools }) => tools)).toEqual([5_000, expect.any(Number)]);
    const names = opened.tools().map(({ name }) => name);
    expect(names).toHaveLength(mostTools);
    expect(names).toContain('mcp__test__echo');
    expect(opened.tools()).toBe(opened.tools());
    expect(notices).toEqual([
      expect.stringMatching(/^the MCP server many offers 5,000 tools, of which [\d,]+ are left out/),
    ]);
  });

  it('can be chosen from by name', async () => {
    const opened = await ready({ many: { ...server('--tools=5000'), tools: ['tool_7', 'tool_499?'] } });
    expect(opened.tools().map(({ name }) => name.replace('mcp__many__', ''))).toEqual([
      'tool_7',
      ...Array.from({ length: 10 }, (_, n) => `tool_499${n}`),
    ]);
    expect(notices).toEqual([]);
  });
});

describe('a server that is not there', () => {
  it.each([
    [
      'has no program',
      { command: 'no-such-program' },
      /^the MCP server bad is not available: no-such-program is not on PATH/,
    ],
    [
      'crashes',
      server('--crash'),
      /^the MCP server bad is not available: it ended with exit code 1: cannot open the database$/,
    ],
    [
      'hangs',
      { ...server('--hang'), startTimeout: 0.2 },
      /^the MCP server bad is not available: it was not ready within 0.2 seconds$/,
    ],
    ['is no definition', { command: 7 }, /^the MCP server bad is not started: it needs "command"/],
  ] as const)('because it %s is named once and keeps nobody else', async (_, definition, notice) => {
    await ready({ bad: definition, test: server() });
    expect(notices).toEqual([expect.stringMatching(notice)]);
    expect(await call('mcp__test__echo', { text: 'hello' })).toEqual({ kind: 'ok', output: 'hello' });
  });

  it('may be waited for no longer than the user wants', async () => {
    const opened = open({ bad: server('--hang') });
    const stop = new AbortController();
    const waiting = opened.ready(stop.signal);
    stop.abort(new Error('interrupted'));
    await expect(waiting).rejects.toThrow('interrupted');
  });

  it('is tried again when somebody asks for it', async () => {
    const needed = join(root, 'needed');
    let cameUp: () => void = () => {};
    const up = new Promise<void>((resolve) => {
      cameUp = resolve;
    });
    const opened = await ready(
      { bad: server(`--needs=${needed}`) },
      { onChange: () => mcp?.servers()[0]?.status.kind === 'ready' && cameUp() },
    );
    expect(opened.servers()).toMatchObject([
      { status: { kind: 'failed', why: 'it ended with exit code 7' } },
    ]);
    expect(opened.tools()).toEqual([]);
    await writeFile(needed, '');
    opened.reconnect('bad');
    expect(opened.servers()).toMatchObject([{ status: { kind: 'connecting' } }]);
    await up;
    expect(await call('mcp__bad__echo', { text: 'here now' })).toEqual({ kind: 'ok', output: 'here now' });
    expect(notices).toEqual(['the MCP server bad is not available: it ended with exit code 7']);
  });
});

describe('a call', () => {
  it('whose server dies fails with what the server said last, and the next one finds it running again', async () => {
    const starts = join(root, 'starts');
    await ready({ test: server(`--starts=${starts}`) });
    expect(await call('mcp__test__die')).toEqual({
      kind: 'failed',
      error: 'failed',
      output: 'test: it ended with exit code 3: out of cheese',
    });
    expect(await call('mcp__test__echo', { text: 'again' })).toEqual({ kind: 'ok', output: 'again' });
    expect(await readFile(starts, 'utf8')).toBe('xx');
    expect(notices).toEqual([
      'the MCP server test was lost and is being connected again: it ended with exit code 3: out of cheese',
    ]);
  });

  it('whose server is killed says that alone: what it said last has nothing to do with it', async () => {
    await ready({ test: server() });
    expect(await call('mcp__test__killed')).toMatchObject({ output: 'test: it was ended by SIGKILL' });
    expect(await call('mcp__test__echo', { text: 'again' })).toEqual({ kind: 'ok', output: 'again' });
  });

  it('to a server that stays away says so, and its tools are gone', async () => {
    const attempts: number[] = [];
    await ready(
      { test: server(`--once=${join(root, 'once')}`) },
      {
        backOffMs(attempt) {
          attempts.push(attempt);
          return attempt > 3 ? undefined : 1;
        },
      },
    );
    // A model goes on with the tools it was told of when its turn began.
    const echo = mcp?.tools().find(({ name }) => name === 'mcp__test__echo');
    await call('mcp__test__die');
    expect(await world.call(echo as Tool, { text: 'hello' })).toEqual({
      kind: 'failed',
      error: 'failed',
      output: 'test: it is not there: it ended with exit code 9',
    });
    expect(attempts).toEqual([1, 2, 3, 4]);
    expect(mcp?.tools()).toEqual([]);
    expect(mcp?.servers()).toMatchObject([{ status: { kind: 'failed', why: 'it ended with exit code 9' } }]);
    expect(notices.at(-1)).toBe('the MCP server test is not available: it ended with exit code 9');
  });

  it('ends with the user’s interrupt', async () => {
    await ready({ test: server() });
    const stop = new AbortController();
    const calling = call('mcp__test__hang', {}, { signal: stop.signal });
    stop.abort(new Error('interrupted'));
    expect(await calling).toMatchObject({ kind: 'failed', error: 'cancelled' });
    expect(await call('mcp__test__echo', { text: 'still here' })).toEqual({
      kind: 'ok',
      output: 'still here',
    });
  });

  it('ends when its time is up', async () => {
    await ready({ test: { ...server(), callTimeout: 0.2 } });
    expect(await call('mcp__test__hang')).toEqual({
      kind: 'failed',
      error: 'timed-out',
      output: 'test did not answer: it did not answer within 0.2 seconds.',
    });
  });
});

const confirm = {
  message: 'Delete it?',
  requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
};
const accepted = { action: 'accept', content: { confirm: true } } as const;
const fill = (answer: (request: FormRequest) => FormAnswer | Promise<FormAnswer>): { forms: FormPort } => ({
  forms: { fill: async (request) => answer(request), visit: async () => 'accept' },
});
const asks = async (request: object = confirm): Promise<unknown> =>
  JSON.parse((await call('mcp__test__ask', { request })).output);

describe('a form', () => {
  it('is declined where nobody is there [koder.event.elicitation-on-request] [koder.event.elicitation-payload]', async () => {
    await ready({ test: server() });
    expect(await asks()).toEqual({ action: 'decline' });
    expect(dispatched).toEqual([
      {
        event: 'Elicitation',
        payload: {
          server_name: 'test',
          message: 'Delete it?',
          mode: 'form',
          requestedSchema: confirm.requestedSchema,
        },
      },
      {
        event: 'ElicitationResult',
        payload: { server_name: 'test', action: 'decline', source: 'user', field_names: [] },
      },
    ]);
  });

  it.each([
    ['accepts', accepted],
    ['accepts without values', { action: 'accept' }],
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
  ] as const)(
    'that a hook %s is answered without asking anybody [koder.elicit.action-answers] [koder.elicit.content-optional] [koder.event.elicitationresult-source]',
    async (_, answer) => {
      hooks.Elicitation = { elicitation: { hook: 'auto.sh', answer } };
      await ready(
        { test: server() },
        fill(() => ({ action: 'cancel' })),
      );
      expect(await asks()).toEqual(answer);
      expect(prompts).toEqual([]);
      expect(dispatched[1]?.payload).toMatchObject({
        action: answer.action,
        source: 'hook',
        field_names: 'content' in answer ? ['confirm'] : [],
      });
    },
  );

  it('is not answered by values that do not fit: the hook is named and the user is asked [koder.event.elicitationresult-source]', async () => {
    hooks.Elicitation = {
      elicitation: {
        hook: 'auto.sh, settings.json:3',
        answer: { action: 'accept', content: { confirm: 'yes', extra: 1 } },
      },
    };
    await ready(
      { test: server() },
      fill(() => ({ action: 'accept', values: { confirm: false } })),
    );
    expect(await asks()).toEqual({ action: 'accept', content: { confirm: false } });
    expect(journal).toEqual([
      expect.objectContaining({ kind: 'hook_error', event: 'Elicitation', cause: 'output' }),
    ]);
    expect(notices).toEqual([
      'the answer of auto.sh, settings.json:3 to test was not sent: confirm must be true or false; extra was not asked for',
    ]);
    expect(prompts).toEqual(['test asks: Delete it?']);
    expect(dispatched[1]?.payload).toMatchObject({
      source: 'user',
      action: 'accept',
      field_names: ['confirm'],
    });
  });

  it('is not answered by values among which a required one is missing', async () => {
    hooks.Elicitation = { elicitation: { hook: 'auto.sh', answer: { action: 'accept', content: {} } } };
    await ready({ test: server() });
    expect(await asks()).toEqual({ action: 'decline' });
    expect(journal).toEqual([
      expect.objectContaining({ kind: 'hook_error', event: 'Elicitation', cause: 'output' }),
    ]);
    expect(notices).toEqual(['the answer of auto.sh to test was not sent: confirm is missing']);
  });

  it('that a hook blocks is declined [koder.event.elicitation-block]', async () => {
    const reasons = [{ hook: 'a', place: 'a', text: 'no forms' }];
    hooks.Elicitation = { verdict: { kind: 'deny', reasons }, elicitation: { hook: 'b', answer: accepted } };
    await ready(
      { test: server() },
      fill(() => ({ action: 'accept', values: { confirm: true } })),
    );
    expect(await asks()).toEqual({ action: 'decline' });
    expect(prompts).toEqual([]);
  });

  it('whose answer a hook blocks is declined, and no value is told [koder.event.elicitationresult-block] [koder.event.elicitationresult-after] [koder.event.elicitationresult-payload]', async () => {
    hooks.ElicitationResult = { verdict: { kind: 'deny', reasons: [{ hook: 'a', place: 'a', text: 'no' }] } };
    await ready(
      { test: server() },
      fill(() => ({ action: 'accept', values: { confirm: true } })),
    );
    expect(await asks()).toEqual({ action: 'decline' });
    expect(dispatched.at(-1)).toEqual({
      event: 'ElicitationResult',
      payload: { server_name: 'test', action: 'accept', source: 'user', field_names: ['confirm'] },
    });
  });

  it('is shown as fields, with who asks', async () => {
    const seen: FormRequest[] = [];
    await ready(
      { test: server() },
      fill((request) => {
        seen.push(request);
        return { action: 'decline' };
      }),
    );
    expect(await asks()).toEqual({ action: 'decline' });
    expect(seen).toEqual([
      {
        server: 'test',
        agent: { name: 'main', type: 'main' },
        message: 'Delete it?',
        form: {
          fields: [
            { name: 'confirm', title: 'confirm', description: '', required: true, kind: { kind: 'yes-no' } },
          ],
        },
      },
    ]);
  });

  it('of a server that several agents have called is asked for one of them, until one is left', async () => {
    const seen: Pick<FormRequest, 'agent' | 'oneOf'>[] = [];
    let bothAsked: () => void = () => {};
    const both = new Promise<void>((resolve) => {
      bothAsked = resolve;
    });
    await ready(
      { test: server() },
      fill(async ({ agent, oneOf }) => {
        seen.push({ agent, ...(oneOf !== undefined && { oneOf }) });
        if (seen.length === 1) await both;
        else bothAsked();
        return { action: 'decline' };
      }),
    );
    const ask = (name: string) =>
      call('mcp__test__ask', { request: confirm }, { caller: { agent: { name } } as Caller });
    const first = ask('ann');
    await vi.waitFor(() => expect(seen).toHaveLength(1));
    await Promise.all([first, ask('bob')]);
    await ask('bob');
    expect(seen).toEqual([
      { agent: { name: 'ann', type: 'main' } },
      { agent: { name: 'bob', type: 'main' }, oneOf: ['ann', 'bob'] },
      { agent: { name: 'bob', type: 'main' } },
    ]);
    expect(prompts[1]).toBe('test asks for one of ann, bob: Delete it?');
  });

  it('is one of three at once, each with its own answer', async () => {
    await ready(
      { test: server() },
      fill(({ message }) => ({ action: 'accept', values: { confirm: message.endsWith('2') } })),
    );
    const answers = JSON.parse((await call('mcp__test__ask3', { request: confirm })).output);
    expect(answers.map((answer: { content: { confirm: boolean } }) => answer.content.confirm)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it.each([
    [
      'asks for what no form can ask',
      { ...confirm, requestedSchema: { type: 'object', properties: { a: { type: 'object' } } } },
    ],
    [
      'points to another machine',
      { ...confirm, requestedSchema: { $ref: 'https://example.invalid/form.json' } },
    ],
    ['has a mode nobody knows', { ...confirm, mode: 'hologram' }],
    ['leads to a program', { message: 'go', mode: 'url', url: 'file:///etc/passwd', elicitationId: '1' }],
  ] as const)('that %s is refused with a reason for the server', async (_, request) => {
    await ready({ test: server() });
    expect(await asks(request)).toEqual({ error: expect.stringContaining('Invalid elicitation request: ') });
    expect(dispatched).toEqual([]);
  });

  it('that sends the user to an address asks before anything is opened', async () => {
    const visited: unknown[] = [];
    await ready(
      { test: server() },
      {
        forms: {
          fill: async () => ({ action: 'cancel' }),
          async visit(request) {
            visited.push(request);
            return 'decline';
          },
        },
      },
    );
    const url = 'https://example.invalid/authorise?id=7';
    expect(await asks({ message: 'Sign in', mode: 'url', url, elicitationId: '7' })).toEqual({
      action: 'decline',
    });
    const agent = { name: 'main', type: 'main' };
    expect(visited).toEqual([{ server: 'test', agent, message: 'Sign in', url }]);
    expect(dispatched[0]?.payload).toMatchObject({ mode: 'url', requestedSchema: {} });
  });
});

describe('a server on the network', () => {
  let http: Server | undefined;
  afterEach(async () => {
    await new Promise((resolve) => (http === undefined ? resolve(undefined) : http.close(resolve)));
    http = undefined;
  });

  async function serve(
    handle: (request: { body: string; headers: NodeJS.Dict<string | string[]>; method: string }) => {
      status: number;
      body?: object;
      headers?: Record<string, string>;
    },
  ): Promise<string> {
    const listening = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      request.on('end', () => {
        const answer = handle({ body, headers: request.headers, method: request.method ?? '' });
        response.writeHead(answer.status, {
          'content-type': 'application/json',
          connection: 'close',
          ...answer.headers,
        });
        response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
      });
    });
    http = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/mcp`;
  }

  /** A server that forgets its first session after one call. */
  function forgetful() {
    let sessions = 0;
    let calls = 0;
    const seen: unknown[] = [];
    const handle: Parameters<typeof serve>[0] = ({ body, headers, method }) => {
      if (method !== 'POST') return { status: 405 };
      const { id, method: asked, params } = JSON.parse(body);
      seen.push([asked, headers.authorization]);
      if (id === undefined) return { status: 202 };
      const result = (value: object, more: Record<string, string> = {}) => ({
        status: 200,
        body: { jsonrpc: '2.0', id, result: value },
        headers: more,
      });
      switch (asked) {
        case 'initialize':
          sessions += 1;
          return result(
            {
              protocolVersion: params.protocolVersion,
              capabilities: { tools: {} },
              serverInfo: { name: 'far', version: '1' },
            },
            { 'mcp-session-id': `session-${sessions}` },
          );
        case 'tools/list':
          return result({ tools: [{ name: 'where', inputSchema: { type: 'object' } }] });
        default:
          calls += 1;
          if (calls === 2) return { status: 404 };
          return result({ content: [{ type: 'text', text: String(headers['mcp-session-id']) }] });
      }
    };
    return { handle, seen };
  }

  it('is reached with its headers, and again when it has forgotten the session', async () => {
    const { handle, seen } = forgetful();
    const url = await serve(handle);
    await ready({ far: { url, headers: { Authorization: 'Bearer x' } } });
    expect(await call('mcp__far__where')).toEqual({ kind: 'ok', output: 'session-1' });
    expect(await call('mcp__far__where')).toMatchObject({
      kind: 'failed',
      output: expect.stringContaining('does not know this session'),
    });
    expect(await call('mcp__far__where')).toEqual({ kind: 'ok', output: 'session-2' });
    expect(seen[0]).toEqual(['initialize', 'Bearer x']);
  });

  it.each([
    [401, /wants to know who is asking \(HTTP 401\); give it a header/],
    [404, /no MCP server at this address \(HTTP 404\)/],
    [500, /answered HTTP 500/],
  ] as const)('that answers %i is named with what to do', async (status, notice) => {
    const url = await serve(() => ({ status }));
    await ready({ far: { url } });
    expect(notices).toEqual([expect.stringMatching(notice)]);
  });

  it('that cannot be reached is named', async () => {
    const url = await serve(() => ({ status: 200 }));
    await new Promise((resolve) => http?.close(resolve));
    http = undefined;
    await ready({ far: { url } });
    expect(notices).toEqual([
      expect.stringMatching(
        /^the MCP server far is not available: 127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/,
      ),
    ]);
  });
});
