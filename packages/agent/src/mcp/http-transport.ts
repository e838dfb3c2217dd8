// Talks to an MCP server on the network, over streamable HTTP.
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { sayError } from './say-error.ts';

export interface HttpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface OpenHttp {
  readonly wire: Transport;
  readonly whyClosed: () => string;
  readonly explain: (error: unknown) => string;
  readonly isLost: (error: unknown) => boolean;
}

export function openHttp({ url, headers }: HttpTarget): OpenHttp {
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  let over: string | undefined;
  return {
    wire: transport,
    whyClosed: () => over ?? 'it was closed',
    explain: (error) => describe(error, url),
    isLost(error) {
      // A session the server no longer knows, and a server that cannot be reached: both need a new beginning.
      const lost = isForgotten(error) || isUnreachable(error);
      if (lost) over = describe(error, url);
      return lost;
    },
  };
}

/** The protocol wants 404 for a session that is not known; servers made after the SDK's examples answer 400 and say so. */
function isForgotten(error: unknown): boolean {
  if (!(error instanceof StreamableHTTPError)) return false;
  return error.code === 404 || (error.code === 400 && /session|not initialized/i.test(error.message));
}

function describe(error: unknown, url: string): string {
  const { host } = new URL(url);
  if (isForgotten(error)) {
    const { code } = error as StreamableHTTPError;
    return `${host} does not know this session, or there is no MCP server at this address (HTTP ${code})`;
  }
  if (error instanceof StreamableHTTPError) {
    switch (error.code) {
      case 401:
      case 403:
        return `${host} wants to know who is asking (HTTP ${error.code}); give it a header, for instance with codey mcp add --header`;
      case 405:
        return `there is no MCP server at this address of ${host} (HTTP 405)`;
      default:
        return error.code === undefined || error.code < 0
          ? `${host} gave no answer that could be read`
          : `${host} answered HTTP ${error.code}`;
    }
  }
  if (isUnreachable(error)) return `${host} cannot be reached: ${reasonOf(error)}`;
  return sayError(error);
}

/** What `fetch` throws when there is no connection. */
function isUnreachable(error: unknown): error is TypeError {
  return error instanceof TypeError && error.message === 'fetch failed';
}

function reasonOf({ cause }: TypeError): string {
  if (cause instanceof AggregateError && cause.message === '')
    return reasonOf({ cause: cause.errors[0] } as TypeError);
  return cause instanceof Error ? cause.message : 'no reason is given';
}
