// One conversation with one MCP server, in our own words. The official SDK is loaded here and nowhere else.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { sayError } from './say-error.ts';
import type { StdioLaunch } from './stdio-transport.ts';

export interface McpClient {
  /** What the server tells a model about itself; empty where it tells nothing. */
  readonly instructions: string;
  readonly offers: { readonly tools: boolean; readonly resources: boolean; readonly prompts: boolean };
  /** Rejects with an error whose message is a sentence; with the signal's reason when aborted. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: {
      readonly signal: AbortSignal;
      readonly onProgress?: (text: string) => void;
    },
  ): Promise<Readonly<Record<string, unknown>>>;
  /** Resolves with why, as half a sentence, when the connection is over. Never rejects. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly program: { readonly name: string; readonly version: string };
  readonly target:
    | { readonly kind: 'stdio'; readonly launch: StdioLaunch }
    | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** Directories the session works in; absent where the server is not told. */
  readonly roots?: () => readonly string[];
  /** Answers what the server asks of the user. */
  readonly elicit: (
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** One of the server's lists is another now. */
  readonly onListChanged: () => void;
  readonly signal: AbortSignal;
}

/** Rejects with an error whose message says why there is no connection; everything it started is ended then. */
export type Connect = (options: ConnectOptions) => Promise<McpClient>;

export const connect: Connect = async (options) => {
  const [{ Client }, { McpError, ErrorCode, ResultSchema }, transport] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
    openTransport(options.target),
  ]);
  const { program, elicit, roots, onListChanged, signal } = options;
  const client = new Client(program, {
    capabilities: { elicitation: { form: {}, url: {} }, ...(roots !== undefined && { roots: {} }) },
    // Results are checked where they are read, and a schema that names another machine must not be followed.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  });
  client.fallbackRequestHandler = async (request, extra) => {
    const { method, params = {} } = request;
    switch (method) {
      case 'elicitation/create':
        try {
          return { ...(await elicit(params, extra.signal)) };
        } catch (error) {
          throw new McpError(ErrorCode.InvalidParams, sayError(error));
        }
      case 'roots/list':
        if (roots !== undefined) return { roots: roots().map((root) => ({ uri: fileUri(root) })) };
    }
    throw new McpError(ErrorCode.MethodNotFound, `${program.name} does not answer ${method}`);
  };
  client.fallbackNotificationHandler = async ({ method }) => {
    if (method.endsWith('/list_changed')) onListChanged();
  };
  // Noise between messages is no reason to end a conversation; what ends it is told by the transport.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's client is no event target
  client.onerror = () => {};
  let resolveEnded: (why: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    resolveEnded = resolve;
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's client is no event target
  client.onclose = () => resolveEnded(transport.whyClosed());
  try {
    await client.connect(transport.wire, { signal, timeout: never });
  } catch (error) {
    await transport.wire.close().catch(() => {});
    if (signal.aborted) throw signal.reason;
    throw new Error(transport.explain(error), { cause: error });
  }
  const capabilities = client.getServerCapabilities() ?? {};
  return {
    instructions: client.getInstructions() ?? '',
    offers: {
      tools: capabilities.tools !== undefined,
      resources: capabilities.resources !== undefined,
      prompts: capabilities.prompts !== undefined,
    },
    async request(method, params, { signal: stop, onProgress }) {
      try {
        return await client.request({ method, params }, ResultSchema, {
          signal: stop,
          timeout: never,
          ...(onProgress !== undefined && {
            onprogress: ({ message, progress, total }) =>
              onProgress(message ?? `${progress}${total === undefined ? '' : ` of ${total}`}`),
          }),
        });
      } catch (error) {
        if (stop.aborted) throw stop.reason;
        if (transport.isLost(error)) void client.close().catch(() => {});
        throw new Error(transport.explain(error), { cause: error });
      }
    },
    ended,
    close: () => client.close().catch(() => {}),
  };
};

/** Deadlines are ours: they stand still while the user fills in a form. The longest a timer can wait. */
const never = 2 ** 31 - 1;

interface OpenTransport {
  readonly wire: Transport;
  readonly whyClosed: () => string;
  /** An error of a request as a sentence. */
  readonly explain: (error: unknown) => string;
  /** Whether the conversation cannot go on after this error. */
  readonly isLost: (error: unknown) => boolean;
}

async function openTransport(target: ConnectOptions['target']): Promise<OpenTransport> {
  if (target.kind === 'stdio') {
    const { createStdioTransport } = await import('./stdio-transport.ts');
    const transport = createStdioTransport(target.launch);
    return {
      wire: transport.wire,
      whyClosed: transport.whyClosed,
      explain: (error) => transport.failure() ?? sayError(error),
      // The end of the process says it.
      isLost: () => false,
    };
  }
  const { openHttp } = await import('./http-transport.ts');
  return openHttp(target);
}

function fileUri(path: string): string {
  const url = new URL('file:///');
  url.pathname = path;
  return url.href;
}
