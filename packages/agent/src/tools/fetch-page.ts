// Gets one page over http or https in bounded time and size, connecting only to addresses it may reach.
import { Buffer } from 'node:buffer';
import { lookup as resolveName } from 'node:dns';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';

export interface FetchOptions {
  /** Asked for every address before a connection is made to it, after each redirect too. */
  readonly mayReach: (address: string) => boolean;
  /** Why an address that a redirect leads to is not fetched; undefined where it may be. */
  readonly refusal?: (url: URL) => string | undefined;
  readonly signal: AbortSignal;
  /** Bytes of the body after decompression; the rest is not read. */
  readonly sizeCap: number;
  /** Resolves names; Node's own by default. */
  readonly lookup?: LookupFunction;
}

export type FetchedPage =
  | {
      readonly kind: 'page';
      /** After redirects. */
      readonly url: URL;
      readonly status: number;
      readonly statusText: string;
      /** Without parameters, lower case; empty where the server names none. */
      readonly contentType: string;
      readonly charset: string | undefined;
      readonly body: Buffer;
      /** Whether the body went on beyond the size cap. */
      readonly truncated: boolean;
    }
  /** Leads to another host: whoever allowed the first has not allowed that one. */
  | { readonly kind: 'elsewhere'; readonly url: URL }
  | { readonly kind: 'refused'; readonly message: string };

/** Follows redirects within a host. Throws what the network throws, or the signal's reason. */
export async function fetchPage(start: URL, options: FetchOptions): Promise<FetchedPage> {
  let url = start;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const refusal = checkUrl(url, options.mayReach);
    if (refusal !== null) return { kind: 'refused', message: refusal };
    const response = await request(url, options);
    const target = redirectTarget(response, url);
    if (target === null) return await readPage(response, url, options);
    response.destroy();
    if (target.hostname !== start.hostname) return { kind: 'elsewhere', url: target };
    const why = options.refusal?.(target);
    if (why !== undefined)
      return { kind: 'refused', message: `${start.href} redirects to ${target.href}: ${why}.` };
    url = target;
  }
  return { kind: 'refused', message: `${start.href} redirects more than ${mostRedirects} times.` };
}

/** What a connection that may not be made fails with. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  constructor(host: string, address: string) {
    const what = host === address ? host : `${host} (${address})`;
    super(
      `${what} is on this machine or a private network, which is not reached without the user's agreement.`,
    );
  }
}

const mostRedirects = 5;

function checkUrl(url: URL, mayReach: (address: string) => boolean): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `Only http and https addresses can be fetched, not ${url.protocol}`;
  }
  if (url.username !== '' || url.password !== '')
    return 'The address holds a name or password; leave them out.';
  // An address needs no resolving, so the check at resolving would not see it.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayReach(host)) return new AddressRefused(host, host).message;
  return null;
}

async function request(url: URL, options: FetchOptions): Promise<IncomingMessage> {
  const http = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const settings: RequestOptions = {
    // A connection of its own: one kept from an earlier call was made under that call's rules.
    agent: false,
    lookup: checkedLookup(options),
    signal: options.signal,
    headers: {
      'user-agent': 'codey',
      accept: 'text/html, text/markdown, text/plain, application/json, text/*;q=0.8, */*;q=0.1',
      'accept-encoding': 'gzip, deflate, br',
    },
  };
  return new Promise((resolve, reject) => {
    http.get(url, settings, resolve).on('error', (error) => reject(options.signal.reason ?? error));
  });
}

/** The connection is made to the very addresses that were checked, so a name cannot change its mind in between. */
function checkedLookup({ mayReach, lookup = resolveName }: FetchOptions): LookupFunction {
  return (host, settings, callback) => {
    lookup(host, settings, (error, found, family) => {
      if (error) return callback(error, found, family);
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
      const refused = addresses.find((address) => !mayReach(address));
      if (refused === undefined) return callback(null, found, family);
      callback(new AddressRefused(host, refused), found, family);
    });
  };
}

function redirectTarget(response: IncomingMessage, url: URL): URL | null {
  const { statusCode = 0, headers } = response;
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return null;
  return URL.canParse(headers.location, url.href) ? new URL(headers.location, url) : null;
}

async function readPage(response: IncomingMessage, url: URL, options: FetchOptions): Promise<FetchedPage> {
  const [type = '', ...parameters] = (response.headers['content-type'] ?? '').split(';');
  const { body, truncated } = await readBody(response, options);
  return {
    kind: 'page',
    url,
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    contentType: type.trim().toLowerCase(),
    charset: /charset=["']?([\w-]+)/i.exec(parameters.join(';'))?.[1],
    body,
    truncated,
  };
}

async function readBody(response: IncomingMessage, { sizeCap, signal }: FetchOptions) {
  const chunks: Buffer[] = [];
  let size = 0;
  const plain = await decompressed(response);
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, sizeCap - size));
      size += chunk.length;
      if (size > sizeCap) break;
    }
  } catch (error) {
    throw signal.reason ?? error;
  } finally {
    response.destroy();
  }
  return { body: Buffer.concat(chunks), truncated: size > sizeCap };
}

async function decompressed(response: IncomingMessage): Promise<Readable> {
  const encoding = response.headers['content-encoding']?.toLowerCase();
  if (encoding === undefined || encoding === 'identity') return response;
  const { createBrotliDecompress, createUnzip } = await import('node:zlib');
  const decoder = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  // Unlike pipe, this hands a broken connection on to the reader.
  response.on('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}
