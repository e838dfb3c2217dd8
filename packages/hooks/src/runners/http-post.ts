// One POST and its answer, within the addresses that are allowed.
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { isRefusedAddress } from './address.ts';
import { collect } from './output.ts';

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes of the answer that are read; at more the connection is closed. */
  readonly answerCap: number;
  /** How names become addresses; `dns.lookup` if not given. */
  readonly lookup?: LookupFunction;
}

export type PostEnd =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | undefined>>;
      readonly body: string;
      readonly truncated: boolean;
    }
  | { readonly kind: 'unreachable'; readonly why: string }
  | { readonly kind: 'refused'; readonly address: string };

/** Never rejects. Once `stop` fires the connection is closed and nobody hears what comes of it. */
export function sendPost(post: Post, stop: AbortSignal): Promise<PostEnd> {
  const host = post.url.hostname.replace(/^\[|\]$/g, '');
  // A connection to a literal address asks nobody, so the check in the lookup would not see it.
  if (isRefusedAddress(host)) return Promise.resolve({ kind: 'refused', address: host });
  // Not imported above: a session without http hooks should not pay for loading it.
  const { request } = process.getBuiltinModule(post.url.protocol === 'https:' ? 'node:https' : 'node:http');
  return new Promise((resolve) => {
    const outgoing = request(post.url, {
      method: 'POST',
      headers: { ...post.headers, 'content-length': Buffer.byteLength(post.body) },
      // A connection of its own, closed with the answer: nothing is kept between two hooks.
      agent: false,
      lookup: guarded(post.lookup ?? process.getBuiltinModule('node:dns').lookup),
      signal: stop,
    });
    outgoing.on('response', (answer) => resolve(readAnswer(answer, post.answerCap)));
    outgoing.on('error', (error) => {
      resolve(
        error instanceof RefusedAddress
          ? { kind: 'refused', address: error.address }
          : { kind: 'unreachable', why: sayError(error) },
      );
    });
    outgoing.on('close', () =>
      resolve({ kind: 'unreachable', why: 'the connection was closed without an answer' }),
    );
    outgoing.end(post.body);
  });
}

class RefusedAddress extends Error {
  readonly address: string;
  constructor(address: string) {
    super(`${address} is refused`);
    this.address = address;
  }
}

/** The connection goes to the very address that was checked here, so a name that changes its mind gains nothing. */
function guarded(lookup: LookupFunction): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      const refused = addresses.find(isRefusedAddress);
      if (error === null && refused !== undefined) done(new RefusedAddress(refused), '', 0);
      else done(error, found, family);
    });
  };
}

function readAnswer(answer: IncomingMessage, cap: number): Promise<PostEnd> {
  const body = collect(answer, cap);
  return new Promise((resolve) => {
    const finish = () => {
      resolve({
        kind: 'answered',
        status: answer.statusCode ?? 0,
        headers: singleHeaders(answer),
        body: body.finish(),
        truncated: body.truncated(),
      });
      answer.destroy();
    };
    answer.on('data', () => {
      if (body.truncated()) finish();
    });
    answer.on('end', finish);
    answer.on('close', () =>
      resolve({ kind: 'unreachable', why: 'the connection broke in the middle of the answer' }),
    );
  });
}

function singleHeaders(answer: IncomingMessage): Readonly<Record<string, string | undefined>> {
  const { location } = answer.headers;
  return {
    location,
    'content-type': answer.headers['content-type'],
    'content-encoding': answer.headers['content-encoding'],
  };
}

function sayError(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ECONNREFUSED':
      return 'nothing listens there (ECONNREFUSED)';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `its name is not known (${error.code})`;
    case 'ECONNRESET':
      return 'the connection was closed without an answer (ECONNRESET)';
    default:
      return error.message || error.code || 'the connection failed';
  }
}
