// `fetch` over Node's own HTTP, for model clients: one request, one streamed answer.
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { createAnswer } from './answer.ts';
import { PlainHeaders } from './headers.ts';

/**
 * Node's own `fetch` loads undici first, which takes longer than everything else a run on a provider loads. This one
 * keeps its contract as far as model clients go: it rejects with the signal's reason when aborted and with
 * `TypeError: fetch failed` and the cause when there is no answer, and the body fails with what broke it. It follows no
 * redirect, sends only text and bytes, and asks for no compression, which would hold back a stream.
 */
export const httpFetch: typeof fetch = async (input, init = {}) => {
  const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  for (let attempt = 1; ; attempt += 1) {
    const { request, answered } = send(url, init);
    let open: ClientRequest | IncomingMessage = request;
    const stopListening = onAbort(signal, (reason) => open.destroy(reason));
    try {
      const message = await answered;
      open = message;
      message.once('close', stopListening);
      return createAnswer(message, url);
    } catch (error) {
      stopListening();
      signal?.throwIfAborted();
      if (attempt === 1 && closedWhileIdle(request, error)) continue;
      throw new TypeError('fetch failed', { cause: error });
    }
  }
};

/** Nothing heard for so long: no answer will come. */
const silenceMs = 300_000;
const connectMs = 30_000;

function send(
  url: URL,
  init: RequestInit,
): { readonly request: ClientRequest; readonly answered: Promise<IncomingMessage> } {
  const body = bodyOf(init.body);
  const secure = url.protocol === 'https:';
  // Not imported above: a run on a script asks nobody.
  const { Agent, request } = process.getBuiltinModule(secure ? 'node:https' : 'node:http');
  const headers = new PlainHeaders((init.headers ?? {}) as ConstructorParameters<typeof PlainHeaders>[0]);
  if (!headers.has('accept')) headers.set('accept', '*/*');
  headers.set('accept-encoding', 'identity');
  // Connections are kept from turn to turn, apart by what they are made with.
  const scheme = secure ? 'https' : 'http';
  agents[scheme] ??= new Agent(kept);
  const agent = agents[scheme];
  const sent = request(url, { method: init.method ?? 'GET', headers: Object.fromEntries(headers), agent });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    // Also later ones: without a listener they would end the program.
    sent.on('error', reject);
  });
  sent.setTimeout(silenceMs, () => sent.destroy(timedOut('no answer')));
  sent.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => sent.destroy(timedOut('no connection')), connectMs);
    const stop = () => clearTimeout(timer);
    socket.once(secure ? 'secureConnect' : 'connect', stop).once('close', stop);
  });
  sent.end(body);
  return { request: sent, answered };
}

const kept = { keepAlive: true };
const agents: { http?: Agent; https?: Agent } = {};

function bodyOf(body: RequestInit['body']): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new TypeError('a request to a model holds text or bytes');
}

/** A kept connection that the server closed in the moment it was used again: nothing of the request was read. */
function closedWhileIdle(request: ClientRequest, error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

function timedOut(what: string): Error {
  return Object.assign(new Error(`${what} in time`), { code: 'ETIMEDOUT' });
}

function onAbort(signal: AbortSignal | undefined, stop: (reason: Error) => void): () => void {
  const heard = () => stop(signal?.reason);
  signal?.addEventListener('abort', heard, { once: true });
  return () => signal?.removeEventListener('abort', heard);
}
