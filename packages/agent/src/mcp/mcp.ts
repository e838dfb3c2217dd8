// The MCP servers of one session: started together, none waited for before somebody needs it.
import type { ProcessHost } from '@codey/hooks';
import type { Tool } from '../tools/tool.ts';
import type { OfferedPrompt, OfferedResource } from './catalogue.ts';
import { chooseTools } from './choose-tools.ts';
import { type Connect, type ConnectOptions, connect as connectWithSdk } from './client.ts';
import { capOutput } from '../tools/output.ts';
import { renderContent, renderResource } from './content.ts';
import { startDeadline } from './deadline.ts';
import type { McpServerDefinition, ParsedDefinition } from './definition.ts';
import { type Asker, createOpenCalls, type OpenCalls } from './open-calls.ts';
import { createMcpServer, type McpServer, type ServerStatus } from './server.ts';
import { mcpTool } from './tools.ts';

export interface McpOptions {
  readonly definitions: readonly ParsedDefinition[];
  readonly program: { readonly name: string; readonly version: string };
  /** Where servers are started. */
  readonly cwd: string;
  readonly roots: () => readonly string[];
  /** What a server's process finds in its environment, before what its definition adds. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** Names that servers of a repository do not get. */
  readonly withhold: () => readonly string[];
  readonly processes: ProcessHost;
  /**
   * Answers what a server asks of the user; `asker` is on whose call. Rejects with a message for the server.
   */
  readonly elicit: (
    server: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    asker: Asker,
  ) => Promise<object>;
  /** Something the user should know. */
  readonly notice: (text: string) => void;
  /** A server came, went or offers something else now. */
  readonly onChange: () => void;
  readonly connect?: Connect;
  readonly backOffMs?: (attempt: number) => number | undefined;
}

export interface ListedServer {
  readonly name: string;
  readonly place: string;
  readonly status:
    | ServerStatus
    | { readonly kind: 'disabled' }
    | { readonly kind: 'invalid'; readonly why: string };
  readonly tools: number;
  readonly resources: number;
  readonly prompts: number;
}

export type McpText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'problem'; readonly message: string };

export interface Mcp {
  servers(): readonly ListedServer[];
  /** Of all servers, as many as a model is given; the same objects until something changes. */
  tools(): readonly Tool[];
  /** Those of one server. */
  toolNames(server: string): readonly string[];
  /** What servers tell a model about themselves; by name. */
  instructions(): readonly { readonly server: string; readonly text: string }[];
  resources(): readonly (OfferedResource & { readonly server: string })[];
  prompts(): readonly (OfferedPrompt & { readonly server: string })[];
  /** For an `@server:uri` in a prompt. Never rejects. */
  readResource(server: string, uri: string, signal: AbortSignal): Promise<McpText>;
  /** The text that a server's prompt comes to, to be submitted in the user's name. Never rejects. */
  expandPrompt(
    server: string,
    name: string,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<McpText>;
  /** Resolves when every server is ready or has failed; each has its own deadline. Rejects with the signal's reason. */
  ready(signal: AbortSignal): Promise<void>;
  reconnect(name: string): void;
  close(): Promise<void>;
}

type ServerTool = Tool & { readonly server: string };

interface LiveServer {
  readonly definition: McpServerDefinition;
  readonly server: McpServer;
  readonly calls: OpenCalls;
}

/** Who waits longer than this for servers is told for which. */
const patienceMs = 1_000;
/** Characters of what a server may say in every request. */
const instructionsCap = 2_000;

export function createMcp(options: McpOptions): Mcp {
  const { definitions, notice, onChange } = options;
  const told = new Map<string, string>();
  let tools: readonly ServerTool[] | undefined;

  const live = definitions.flatMap((parsed) => (parsed.kind === 'server' ? [start(parsed.server)] : []));
  for (const parsed of definitions) {
    if (parsed.kind === 'problem') notice(`the MCP server ${parsed.name} is not started: ${parsed.message}`);
  }

  function start(definition: McpServerDefinition): LiveServer {
    const { name, startTimeout } = definition;
    const calls = createOpenCalls();
    const server: McpServer = createMcpServer({
      name,
      connect: options.connect ?? connectWithSdk,
      target: () => ({
        program: options.program,
        target: targetOf(definition),
        ...(definition.roots && { roots: options.roots }),
        elicit: async (params, signal) => ({
          ...(await calls.ask((asker) => options.elicit(name, params, signal, asker))),
        }),
      }),
      startTimeoutMs: startTimeout * 1_000,
      ...(options.backOffMs !== undefined && { backOffMs: options.backOffMs }),
      onChange: () => {
        tools = undefined;
        tellStatus(name, server.status());
        onChange();
      },
    });
    return { definition, server, calls };
  }

  function targetOf({ name, transport, fromRepository }: McpServerDefinition): ConnectOptions['target'] {
    if (transport.kind === 'http') return transport;
    const withheld = new Set(fromRepository ? options.withhold() : []);
    const inherited = Object.entries(options.environment()).filter(([variable]) => !withheld.has(variable));
    return {
      kind: 'stdio',
      launch: {
        argv: [transport.command, ...transport.args],
        cwd: options.cwd,
        environment: { ...Object.fromEntries(inherited), ...transport.env },
        processes: options.processes,
        what: `mcp ${name}`,
      },
    };
  }

  /** Each loss once: a server that comes and goes must not fill the screen. */
  function tellStatus(name: string, status: ServerStatus): void {
    if (status.kind !== 'failed' && status.kind !== 'reconnecting') return;
    const text =
      status.kind === 'failed'
        ? `the MCP server ${name} is not available: ${status.why}`
        : `the MCP server ${name} was lost and is being connected again: ${status.why}`;
    if (told.get(name) === text) return;
    told.set(name, text);
    notice(text);
  }

  function makeTools(): readonly ServerTool[] {
    const { chosen, leftOut } = chooseTools(
      live.map(({ definition, server }) => ({
        server: definition.name,
        tools: server.catalogue().tools,
        ...(definition.tools !== undefined && { wanted: definition.tools }),
      })),
    );
    for (const { server, count, of } of leftOut) {
      const text = `the MCP server ${server} offers ${of.toLocaleString('en-US')} tools, of which ${count.toLocaleString('en-US')} are left out; name the ones you want in "tools" of its settings`;
      if (told.get(`${server} tools`) === text) continue;
      told.set(`${server} tools`, text);
      notice(text);
    }
    const byName = new Map(live.map((entry) => [entry.definition.name, entry]));
    return chosen.flatMap(({ name, server, tool }) => {
      const entry = byName.get(server);
      if (entry === undefined) return [];
      const made = mcpTool(name, tool, {
        server: entry.server,
        callTimeoutMs: entry.definition.callTimeout * 1_000,
        open: entry.calls,
      });
      return [{ ...made, server }];
    });
  }

  async function ask(
    name: string,
    method: string,
    params: Readonly<Record<string, unknown>>,
    stop: AbortSignal,
    render: (answer: Readonly<Record<string, unknown>>) => string,
  ): Promise<McpText> {
    const entry = live.find(({ definition }) => definition.name === name);
    if (entry === undefined) return { kind: 'problem', message: `There is no MCP server ${name}.` };
    const deadline = startDeadline(entry.definition.callTimeout * 1_000, stop, () => false);
    const call = entry.calls.begin(undefined);
    try {
      const client = await entry.server.client(deadline.signal);
      const answered = await call.run(() => client.request(method, params, { signal: deadline.signal }));
      entry.server.proven();
      return { kind: 'text', text: capOutput(render(answered)) };
    } catch (error) {
      return {
        kind: 'problem',
        message: `${name}: ${error instanceof Error ? error.message : String(error)}`,
      };
    } finally {
      call.end();
      deadline.end();
    }
  }

  function currentTools(): readonly ServerTool[] {
    tools ??= makeTools();
    return tools;
  }

  return {
    servers: () => listServers(definitions, live),
    tools: currentTools,
    toolNames: (server) => currentTools().flatMap((tool) => (tool.server === server ? [tool.name] : [])),
    instructions: () =>
      live.flatMap(({ definition, server }) => {
        const text = server.instructions().trim();
        return text === '' ? [] : [{ server: definition.name, text: text.slice(0, instructionsCap) }];
      }),
    resources: () =>
      live.flatMap(({ definition, server }) =>
        server.catalogue().resources.map((resource) => ({ ...resource, server: definition.name })),
      ),
    prompts: () =>
      live.flatMap(({ definition, server }) =>
        server.catalogue().prompts.map((prompt) => ({ ...prompt, server: definition.name })),
      ),
    readResource: (server, uri, signal) => ask(server, 'resources/read', { uri }, signal, renderContents),
    expandPrompt: (server, name, values, signal) =>
      ask(server, 'prompts/get', { name, arguments: values }, signal, renderMessages),
    async ready(signal) {
      const all = Promise.all(live.map(({ server }) => server.settled));
      const late = setTimeout(() => {
        const slow = live.filter(({ server }) => server.status().kind === 'connecting');
        for (const { definition } of slow)
          notice(
            `waiting for the MCP server ${definition.name} to start, up to ${definition.startTimeout} s`,
          );
      }, patienceMs);
      late.unref();
      try {
        await unlessAborted(all, signal);
      } finally {
        clearTimeout(late);
      }
    },
    reconnect: (name) => live.find(({ definition }) => definition.name === name)?.server.reconnect(),
    async close() {
      await Promise.all(live.map(({ server }) => server.close()));
    },
  };
}

function listServers(
  definitions: readonly ParsedDefinition[],
  live: readonly { readonly definition: McpServerDefinition; readonly server: McpServer }[],
): readonly ListedServer[] {
  const none = { place: '', tools: 0, resources: 0, prompts: 0 };
  return definitions.map((parsed): ListedServer => {
    if (parsed.kind === 'disabled') return { ...none, name: parsed.name, status: { kind: 'disabled' } };
    if (parsed.kind === 'problem')
      return { ...none, name: parsed.name, status: { kind: 'invalid', why: parsed.message } };
    const { name, place } = parsed.server;
    const server = live.find(({ definition }) => definition.name === name)?.server;
    const { tools = [], resources = [], prompts = [] } = server?.catalogue() ?? {};
    return {
      name,
      place,
      status: server?.status() ?? { kind: 'closed' },
      tools: tools.length,
      resources: resources.length,
      prompts: prompts.length,
    };
  });
}

function renderContents({ contents }: Readonly<Record<string, unknown>>): string {
  return (Array.isArray(contents) ? contents : []).map(renderResource).join('\n');
}

/** Several messages keep their speakers; one of the user is simply their text. */
function renderMessages({ messages }: Readonly<Record<string, unknown>>): string {
  const all = (Array.isArray(messages) ? messages : []).map(
    ({ role, content }: { readonly role?: unknown; readonly content?: unknown }) => ({
      role: role === 'assistant' ? 'Assistant' : 'User',
      text: renderContent(Array.isArray(content) ? content : [content]),
    }),
  );
  if (all.every(({ role }) => role === 'User')) return all.map(({ text }) => text).join('\n\n');
  return all.map(({ role, text }) => `${role}: ${text}`).join('\n\n');
}

function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop);
    void work.finally(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
}
