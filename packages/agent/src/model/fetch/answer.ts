// An answer of Node's HTTP as the web's `Response`, as much of it as model clients use.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { PlainHeaders } from './headers.ts';

/** The body is read as it is asked for; who lets it go leaves the connection to be used again, or closed. */
export function createAnswer(message: IncomingMessage, url: URL): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = message;
  const body = toWebStream(message, decoded(message));
  const text = async () => {
    const decoder = new TextDecoder();
    let whole = '';
    for await (const piece of body) whole += decoder.decode(piece, { stream: true });
    return whole + decoder.decode();
  };
  const answer = {
    ok: status >= 200 && status < 300,
    status,
    statusText,
    headers: new PlainHeaders(headerPairs(message)),
    url: url.href,
    redirected: false,
    body,
    text,
    json: async () => JSON.parse(await text()),
  };
  // What is left out are the ways to read a body that no client of a model takes.
  return answer as unknown as Response;
}

function* headerPairs({ rawHeaders }: IncomingMessage): Iterable<readonly [string, string]> {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    yield [rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''];
}

/** Some proxies compress without being asked. */
function decoded(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding']?.toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return message;
  const { createBrotliDecompress, createUnzip, pipeline } = {
    ...process.getBuiltinModule('node:zlib'),
    ...process.getBuiltinModule('node:stream'),
  };
  const decoder = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  // What breaks on the way comes out of the decoder.
  return pipeline(message, decoder, () => {});
}

function toWebStream(message: IncomingMessage, readable: Readable): ReadableStream<Uint8Array> {
  let wanted = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      readable.on('data', (piece: Uint8Array) => {
        if (!wanted) return;
        controller.enqueue(piece);
        if ((controller.desiredSize ?? 0) <= 0) readable.pause();
      });
      readable.once('end', () => wanted && controller.close());
      readable.once('error', (error) => wanted && controller.error(error));
      readable.pause();
    },
    pull() {
      readable.resume();
    },
    cancel() {
      wanted = false;
      readable.resume();
      const timer = setTimeout(() => message.destroy(), lingerMs).unref();
      message.once('close', () => clearTimeout(timer));
    },
  });
}

/**
 * Clients stop reading at the last event, a moment before the answer ends. Hearing the end keeps the connection for the
 * next turn, where a new one would cost several round trips.
 */
const lingerMs = 500;
