// One MCP server over the length of a session: connected, lost, connected again, given up.
import { type Catalogue, emptyCatalogue, readCatalogue } from './catalogue.ts';
import type { Connect, ConnectOptions, McpClient } from './client.ts';

export type ServerStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'ready' }
  /** Lost; another attempt is under way or waits its turn. */
  | { readonly kind: 'reconnecting'; readonly why: string }
  /** Nothing is tried any more. */
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'closed' };

export interface McpServer {
  readonly name: string;
  status(): ServerStatus;
  /** What it offered last: a server that is being connected again keeps its tools. */
  catalogue(): Catalogue;
  instructions(): string;
  /** Resolves when the first attempt has come to an end, one way or the other. Never rejects. */
  readonly settled: Promise<void>;
  /** Waits for a connection under way. Rejects with a sentence where there is none, or with the signal's reason. */
  client(signal: AbortSignal): Promise<McpClient>;
  /** A call was answered: the server works, and its next loss is not counted with those before. */
  proven(): void;
  /** Tries a server again that was given up, or cuts a wait short. */
  reconnect(): void;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly name: string;
  readonly connect: Connect;
  /** Made anew for each attempt, since the environment of the session may have changed. */
  readonly target: () => Omit<ConnectOptions, 'signal' | 'onListChanged'>;
  readonly startTimeoutMs: number;
  /** Status, tools or both are others now. */
  readonly onChange: () => void;
  /** Pauses between attempts, by their number from 1; undefined for no further one. */
  readonly backOffMs?: (attempt: number) => number | undefined;
}

export function createMcpServer(options: ServerOptions): McpServer {
  const { name, connect, target, startTimeoutMs, onChange, backOffMs = standardBackOff } = options;
  const closing = new AbortController();
  let status: ServerStatus = { kind: 'connecting' };
  let catalogue = emptyCatalogue;
  let live: McpClient | undefined;
  let losses = 0;
  let wake: () => void = () => {};
  let settle: () => void = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const waiting = new Set<() => void>();
  let running = run();

  function become(next: ServerStatus): void {
    if (status.kind === 'closed') return;
    status = next;
    for (const look of waiting) look();
    onChange();
  }

  async function run(): Promise<void> {
    let everReady = false;
    while (!closing.signal.aborted) {
      let why: string;
      try {
        live = await attempt();
        everReady = true;
        become({ kind: 'ready' });
        settle();
        why = await live.ended;
      } catch (error) {
        why = error instanceof Error ? error.message : String(error);
      }
      live = undefined;
      settle();
      if (closing.signal.aborted) return;
      losses += 1;
      // One that never was ready will not be so a second later: its settings are wrong, or its program is.
      const pause = everReady ? backOffMs(losses) : undefined;
      if (pause === undefined) {
        become({ kind: 'failed', why });
        return;
      }
      become({ kind: 'reconnecting', why });
      await rest(pause);
    }
  }

  /** Connected and asked what it offers, within its time. */
  async function attempt(): Promise<McpClient> {
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new Error(`it was not ready within ${startTimeoutMs / 1_000} seconds`)),
      startTimeoutMs,
    );
    const signal = AbortSignal.any([closing.signal, deadline.signal]);
    let client: McpClient | undefined;
    try {
      client = await connect({ ...target(), signal, onListChanged: () => void refresh() });
      catalogue = await readCatalogue(client, signal);
      return client;
    } catch (error) {
      await client?.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A list that cannot be read again stays as it was. */
  async function refresh(): Promise<void> {
    if (live === undefined) return;
    try {
      catalogue = await readCatalogue(
        live,
        AbortSignal.any([closing.signal, AbortSignal.timeout(startTimeoutMs)]),
      );
      onChange();
    } catch {
      return;
    }
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    name,
    status: () => status,
    catalogue: () => (status.kind === 'failed' || status.kind === 'closed' ? emptyCatalogue : catalogue),
    instructions: () => live?.instructions ?? '',
    settled,
    client(signal) {
      return new Promise((resolve, reject) => {
        const done = (act: () => void): void => {
          waiting.delete(look);
          signal.removeEventListener('abort', stop);
          act();
        };
        const stop = (): void => done(() => reject(signal.reason));
        const look = (): void => {
          if (signal.aborted) stop();
          else if (status.kind === 'ready' && live !== undefined) done(() => resolve(live as McpClient));
          else if (status.kind === 'failed') {
            const { why } = status;
            done(() => reject(new Error(`it is not there: ${why}`)));
          } else if (status.kind === 'closed') done(() => reject(new Error('it is closed')));
        };
        waiting.add(look);
        signal.addEventListener('abort', stop);
        look();
      });
    },
    proven() {
      losses = 0;
    },
    reconnect() {
      losses = 0;
      if (status.kind === 'failed') {
        become({ kind: 'connecting' });
        running = run();
      } else wake();
    },
    async close() {
      closing.abort(new Error('the session is closing'));
      become({ kind: 'closed' });
      wake();
      await live?.close();
      await running;
    },
  };
}

/** Half a second, then twice as long each time; after five losses in a row without one answered call it is given up. */
function standardBackOff(attempt: number): number | undefined {
  return attempt > 5 ? undefined : 500 * 2 ** (attempt - 1);
}
