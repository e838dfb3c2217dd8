// Talks to an MCP server that is a process of ours: JSON lines over its stdin and stdout.
import { randomUUID } from 'node:crypto';
import type { ProcessHost, RunEnd } from '@codey/hooks';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

export interface StdioLaunch {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly processes: ProcessHost;
  /** Entered in the ledger. */
  readonly what: string;
}

export interface StdioTransport {
  readonly wire: Transport;
  /** How the process ended, as half a sentence: `it ended with exit code 1: no such database`. */
  readonly whyClosed: () => string;
  /** Why the process never ran, or what it ended with; undefined while it runs. */
  readonly failure: () => string | undefined;
}

/** Characters of one message: a file of some size as base64 fits. */
const lineCap = 64 * 1024 * 1024;

/**
 * The host owns the process and all it starts, so that a server behind `npx` or a shell ends with its session. Lines that
 * are no messages are passed over: many servers log to stdout.
 */
export function createStdioTransport(launch: StdioLaunch): StdioTransport {
  let write: ((text: string) => void) | undefined;
  let closeProcess: (() => Promise<void>) | undefined;
  let over: string | undefined;

  const wire: Transport = {
    async start() {
      const { argv, cwd, environment, processes, what } = launch;
      const kept = await processes.keep({
        argv,
        cwd,
        environment,
        what,
        marker: { name: 'CODEY_MCP_RUN', value: randomUUID() },
        lineCap,
        onLine: hear,
      });
      if (kept.kind === 'failed') {
        over = kept.message;
        throw new Error(kept.message);
      }
      ({ write, close: closeProcess } = kept);
      void kept.ended.then((end) => {
        write = undefined;
        over ??= describeEnd(end, kept.stderr());
        wire.onclose?.();
      });
    },
    async send(message) {
      if (write === undefined) throw new Error(over ?? 'it is not running');
      write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      over ??= 'it was closed';
      write = undefined;
      await closeProcess?.();
      wire.onclose?.();
    },
  };

  function hear(line: string): void {
    const message = parseMessage(line);
    if (message !== undefined) wire.onmessage?.(message as Parameters<NonNullable<typeof wire.onmessage>>[0]);
  }

  return { wire, whyClosed: () => over ?? 'it was closed', failure: () => over };
}

/** Undefined for everything that is no JSON-RPC message. */
export function parseMessage(line: string): object | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The last line a server wrote to stderr is most often the one that says what was wrong. Of one that somebody killed it has
 * nothing to do with it.
 */
function describeEnd(end: RunEnd, stderr: string): string {
  if (end.kind === 'signalled' && (end.signal === 'SIGKILL' || end.signal === 'SIGTERM'))
    return howItEnded(end);
  const said = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .at(-1);
  const how = howItEnded(end);
  return said === undefined ? how : `${how}: ${said.slice(0, 300)}`;
}

function howItEnded(end: RunEnd): string {
  switch (end.kind) {
    case 'exited':
      return `it ended with exit code ${end.code}`;
    case 'signalled':
      return `it was ended by ${end.signal}`;
    case 'failed':
      return end.message;
    case 'answered':
    case 'timed-out':
    case 'cancelled':
      return 'it was ended';
  }
}
