// An OTLP collector at the other end of HTTP, which may be away, slow, broken, or something else altogether.
import type { ClientRequest, RequestOptions } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { createLookup } from './lookup.ts';

export interface Collector {
  /** Resolves with what kept the collector from taking it, in words for a person. Never rejects. */
  send(signal: 'traces' | 'logs', json: Uint8Array): Promise<string | undefined>;
  /** Resolves when nothing is on its way. */
  idle(): Promise<void>;
  /** Calls off what is on its way, and whatever is sent later. */
  hangUp(): void;
}

export interface CollectorOptions {
  readonly endpoint: URL;
  readonly headers: Readonly<Record<'traces' | 'logs', Readonly<Record<string, string>>>>;
  /** For one request with its repetitions; ten seconds unless given, as the specification has it. */
  readonly limitMs?: number;
}

/** Before the first repetition; twice that before the next. */
const pauseMs = 1_000;
/** What a collector says is short. */
const longestAnswer = 64 * 1024;
/** The specification's list of answers that mean: later. */
const later: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Follows no redirect, so that headers with a key reach nobody else, and keeps no process alive. */
export async function connectCollector({
  endpoint,
  headers,
  limitMs = 10_000,
}: CollectorOptions): Promise<Collector> {
  const { request, Agent } = await (endpoint.protocol === 'https:'
    ? import('node:https')
    : import('node:http'));
  const agent = new Agent({ keepAlive: true });
  const names = createLookup();
  const hungUp = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  async function deliver(signal: 'traces' | 'logs', json: Uint8Array): Promise<string | undefined> {
    const limit = AbortSignal.any([hungUp.signal, AbortSignal.timeout(limitMs)]);
    const options: RequestOptions = {
      method: 'POST',
      headers: {
        ...headers[signal],
        'content-type': 'application/json',
        'content-length': String(json.length),
      },
      agent,
      lookup: names.find,
      signal: limit,
    };
    for (let pause = pauseMs; ; pause *= 2) {
      const answer = await ask(request(addressOf(endpoint, signal), options), json);
      if (answer.kind === 'answered' && later.has(answer.status)) {
        const waited = setTimeout(Math.max(pause, answer.retryAfterMs), true, { signal: limit, ref: false });
        if (await waited.catch(() => false)) continue;
      }
      if (limit.aborted && answer.kind === 'silent') return `no answer within ${limitMs / 1000} s`;
      return complaintAbout(answer);
    }
  }

  return {
    send(signal, json) {
      const delivery = deliver(signal, json).catch((error: unknown) => String(error));
      underWay.add(delivery);
      void delivery.then(() => underWay.delete(delivery));
      return delivery;
    },
    async idle() {
      await Promise.all(underWay);
    },
    hangUp() {
      hungUp.abort();
      names.cancel();
      agent.destroy();
    },
  };
}

/** The path of the signal behind that of the endpoint, as for every OTLP sender. */
export function addressOf(endpoint: URL, signal: 'traces' | 'logs'): URL {
  const address = new URL(endpoint);
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/v1/${signal}`;
  return address;
}

type Answer =
  | { readonly kind: 'silent'; readonly why: string }
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfterMs: number;
      /** Undefined where it did not end in time or in bounds. */
      readonly text: string | undefined;
    };

function ask(request: ClientRequest, json: Uint8Array): Promise<Answer> {
  return new Promise((resolve) => {
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ kind: 'silent', why: error.code ?? error.message }),
    );
    request.on('socket', (socket) => socket.unref());
    request.on('response', (response) => {
      const pieces: Buffer[] = [];
      let length = 0;
      const done = (text: string | undefined): void =>
        resolve({
          kind: 'answered',
          status: response.statusCode ?? 0,
          retryAfterMs: (Number(response.headers['retry-after']) || 0) * 1000,
          text,
        });
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        length += piece.length;
        if (length <= longestAnswer) return;
        done(undefined);
        response.destroy();
      });
      response.on('end', () => done(Buffer.concat(pieces).toString()));
      response.on('error', () => done(undefined));
    });
    request.end(json);
  });
}

/** Undefined where everything was taken. A page of another server at that address answers 200 too. */
function complaintAbout(answer: Answer): string | undefined {
  if (answer.kind === 'silent') return answer.why;
  const { status, text } = answer;
  if (status < 200 || status > 299) return `it answers ${status}`;
  if (text === '') return undefined;
  const partly = text === undefined ? undefined : partialSuccessIn(text);
  if (partly === undefined) return 'what answers there is no collector';
  const { rejectedSpans = 0, rejectedLogRecords = 0 } = partly;
  return Number(rejectedSpans) + Number(rejectedLogRecords) > 0 ? 'it rejects what it is sent' : undefined;
}

/** Undefined where the text is no answer of OTLP. */
function partialSuccessIn(
  text: string,
): { rejectedSpans?: unknown; rejectedLogRecords?: unknown } | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer !== 'object' || answer === null) return undefined;
    return (answer as { partialSuccess?: object | null }).partialSuccess ?? {};
  } catch {
    return undefined;
  }
}
