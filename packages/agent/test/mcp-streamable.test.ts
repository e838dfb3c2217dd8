// Streamable HTTP against the official SDK's own server: streams of events, sessions, streams that break off, restarts.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProcessHost, type ProcessHost } from '@codey/hooks';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  type EventStore,
  StreamableHTTPServerTransport,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseDefinition } from '../src/mcp/definition.ts';
import { createMcp, type Mcp } from '../src/mcp/mcp.ts';
import type { Asker } from '../src/mcp/open-calls.ts';
import type { Caller, ToolResult } from '../src/tools/tool.ts';
import { createToolWorld, type ToolWorld } from '../src/tools/tool-world.ts';

const never = new AbortController().signal;
let world: ToolWorld;
let processes: ProcessHost;
let mcp: Mcp | undefined;
let far: FarServer;
let notices: string[];
/** Numbers of the calls that wait for one another, as they came. */
let arrived: number[];
let answerForm: (params: Readonly<Record<string, unknown>>, asker: Asker) => object;

beforeEach(async () => {
  world = await createToolWorld();
  processes = createProcessHost();
  notices = [];
  arrived = [];
  answerForm = () => ({ action: 'decline' });
  far = await startFarServer();
});
afterEach(async () => {
  await mcp?.close();
  mcp = undefined;
  await far.stop();
  await world.dispose();
});

interface FarServer {
  readonly port: number;
  /** Methods of the requests that came, those that take up a stream again with the event they go on from. */
  readonly requests: readonly string[];
  /** As if it had been started anew, without a connection breaking. */
  forget(): void;
  stop(): Promise<void>;
}

/** With its sessions in memory, as the SDK's examples have them. `unknown` is what it answers to a session it does not know. */
async function startFarServer(port = 0, unknown = 404): Promise<FarServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const requests: string[] = [];

  async function transportFor(request: IncomingMessage): Promise<StreamableHTTPServerTransport | undefined> {
    const { 'mcp-session-id': id } = request.headers;
    if (id !== undefined) return sessions.get(String(id));
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      retryInterval: 1,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    await createTools().connect(transport);
    return transport;
  }

  const http: Server = createServer((request, response) => {
    const resumed = request.headers['last-event-id'] === undefined ? '' : ' again';
    requests.push(`${request.method}${resumed}`);
    void transportFor(request).then(async (transport) => {
      if (transport !== undefined) {
        await transport.handleRequest(request, response);
        return;
      }
      response.writeHead(unknown, { 'content-type': 'application/json', connection: 'close' });
      const error = { code: -32_000, message: 'Bad Request: No valid session ID provided' };
      response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
    });
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  return {
    port: (http.address() as AddressInfo).port,
    requests,
    forget: () => sessions.clear(),
    async stop() {
      for (const transport of sessions.values()) await transport.close();
      await new Promise((resolve) => {
        http.close(resolve);
        http.closeAllConnections();
      });
    },
  };
}

function createTools(): McpServer {
  const server = new McpServer({ name: 'far', version: '1' });
  let calls = 0;
  const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
  server.registerTool('count', {}, () => {
    calls += 1;
    return said(`call ${calls} of this session`);
  });
  server.registerTool('steps', {}, async ({ _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken ?? 0;
    await sendNotification({
      method: 'notifications/progress',
      params: { progressToken, progress: 1, message: 'half way' },
    });
    return said('done');
  });
  server.registerTool('break_off', {}, ({ closeSSEStream }) => {
    closeSSEStream?.();
    return said('said after the stream was closed');
  });
  let late: () => void = () => {};
  const both = new Promise<void>((resolve) => {
    late = resolve;
  });
  // Whoever calls first asks last, on the stream of its own call.
  server.registerTool('ask_here', {}, async (extra) => {
    calls += 1;
    const mine = calls;
    arrived.push(mine);
    if (mine === 1) await both;
    const message = `call ${mine}`;
    const requestedSchema = { type: 'object' as const, properties: {} };
    const params = { message, requestedSchema };
    await extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema);
    late();
    return said(message);
  });
  server.registerTool('ask', {}, async () => {
    const answer = await server.server.elicitInput({
      message: 'Really?',
      requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] },
    });
    return said(JSON.stringify(answer));
  });
  server.registerResource('notes', 'far://notes', {}, ({ href }) => ({
    contents: [{ uri: href, text: 'from far away' }],
  }));
  server.registerPrompt('review', {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Review it.' } }],
  }));
  return server;
}

function createEventStore(): EventStore {
  const events: { readonly id: string; readonly stream: string; readonly message: never }[] = [];
  return {
    async storeEvent(stream, message) {
      const id = String(events.length);
      events.push({ id, stream, message: message as never });
      return id;
    },
    async getStreamIdForEventId(id) {
      return events[Number(id)]?.stream;
    },
    async replayEventsAfter(id, { send }) {
      const stream = events[Number(id)]?.stream ?? '';
      for (const event of events.slice(Number(id) + 1))
        if (event.stream === stream) await send(event.id, event.message);
      return stream;
    },
  };
}

async function open(): Promise<Mcp> {
  const opened = createMcp({
    definitions: [
      parseDefinition(
        'far',
        { url: `http://127.0.0.1:${far.port}/mcp` },
        { place: 'settings.json', fromRepository: false, environment: {} },
      ),
    ],
    program: { name: 'codey', version: '0.0.0' },
    cwd: world.workspace,
    roots: () => [world.workspace],
    environment: () => ({}),
    withhold: () => [],
    processes,
    elicit: async (_server, params, _signal, asker) => answerForm(params, asker),
    notice: (text) => void notices.push(text),
    onChange: () => {},
    backOffMs: () => 1,
  });
  mcp = opened;
  await opened.ready(never);
  return opened;
}

function call(name: string, more: Parameters<ToolWorld['call']>[2] = {}): Promise<ToolResult> {
  const tool = mcp?.tools().find((one) => one.name === `mcp__far__${name}`);
  if (tool === undefined) throw new Error(`there is no ${name}: ${notices.join(', ')}`);
  return world.call(tool, {}, more);
}

it('gives its tools, resources and prompts, all within one session', async () => {
  const opened = await open();
  expect(opened.servers()).toMatchObject([{ status: { kind: 'ready' }, tools: 5, resources: 1, prompts: 1 }]);
  expect(await call('count')).toEqual({ kind: 'ok', output: 'call 1 of this session' });
  expect(await call('count')).toEqual({ kind: 'ok', output: 'call 2 of this session' });
  expect(await opened.readResource('far', 'far://notes', never)).toEqual({
    kind: 'text',
    text: 'from far away',
  });
  expect(await opened.expandPrompt('far', 'review', {}, never)).toEqual({ kind: 'text', text: 'Review it.' });
  expect(notices).toEqual([]);
});

it('tells its progress in the stream of a call, and asks its form there', async () => {
  await open();
  const reported: string[] = [];
  expect(await call('steps', { report: (text) => void reported.push(text) })).toMatchObject({
    output: 'done',
  });
  expect(reported).toEqual(['half way\n']);
  answerForm = () => ({ action: 'accept', content: { sure: true } });
  expect(JSON.parse((await call('ask')).output)).toEqual({ action: 'accept', content: { sure: true } });
  answerForm = () => ({ action: 'decline' });
  expect(JSON.parse((await call('ask')).output)).toEqual({ action: 'decline' });
});

it('asks in the name of the agent on whose call, which the stream of the call says', async () => {
  await open();
  const seen: unknown[] = [];
  answerForm = ({ message }, { caller, oneOf }) => {
    seen.push([message, caller?.agent.name, oneOf.length]);
    return { action: 'decline' };
  };
  const ask = (name: string) => call('ask_here', { caller: { agent: { name } } as Caller });
  const first = ask('ann');
  await vi.waitFor(() => expect(arrived).toEqual([1]));
  await Promise.all([first, ask('bob')]);
  expect(seen).toEqual([
    ['call 2', 'bob', 0],
    ['call 1', 'ann', 0],
  ]);
});

it('whose stream breaks off in the middle of a call gives the answer when the stream is taken up again', async () => {
  await open();
  expect(await call('break_off')).toEqual({ kind: 'ok', output: 'said after the stream was closed' });
  expect(far.requests).toContain('GET again');
  expect(await call('count')).toEqual({ kind: 'ok', output: 'call 1 of this session' });
  expect(notices).toEqual([]);
});

it.each([404, 400])(
  'that answers %i to a session it has forgotten is connected again, its tools staying',
  async (status) => {
    await far.stop();
    far = await startFarServer(0, status);
    await open();
    await call('count');
    far.forget();
    expect(await call('count')).toMatchObject({
      kind: 'failed',
      output: expect.stringContaining('does not know this session'),
    });
    expect(await call('count')).toEqual({ kind: 'ok', output: 'call 1 of this session' });
    expect(notices).toEqual([
      expect.stringMatching(/^the MCP server far was lost and is being connected again: .*this session/),
    ]);
  },
);

it('that goes away is said to be gone, and found again when it is back', async () => {
  await open();
  const { port } = far;
  await far.stop();
  expect(await call('count')).toMatchObject({
    kind: 'failed',
    output: expect.stringContaining('cannot be reached'),
  });
  far = await startFarServer(port);
  expect(await call('count')).toEqual({ kind: 'ok', output: 'call 1 of this session' });
});
