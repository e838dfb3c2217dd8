// A provider on the loopback interface that answers by a story, on a real socket and in a real wire format.
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicWire } from './anthropic.ts';
import { googleWire } from './google.ts';
import { openaiWire } from './openai.ts';
import { compatibleWire } from './openai-compatible.ts';
import type { WireAnswer } from './story.ts';
import { isJson, type Json, type WireFormat } from './wire.ts';

const formats = {
  anthropic: anthropicWire,
  openai: openaiWire,
  'openai-compatible': compatibleWire,
  google: googleWire,
} as const satisfies Record<string, WireFormat>;

/** Named like the provider whose format it is. */
export type WireName = keyof typeof formats;

export interface WireRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
  /** What a real server would refuse; such a request is answered 400 with these sentences and uses up no answer. */
  readonly problems: readonly string[];
  /** Resolves when the client left before it had the whole answer. */
  readonly abandoned: Promise<void>;
}

export interface WireServer {
  /** Without a path. */
  readonly url: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly WireRequest[];
  /** Resolves with the request of that number, from 1, as soon as it has arrived. */
  received(number: number): Promise<WireRequest>;
  close(): Promise<void>;
}

/** Answers request after request with the entries of the story. A request beyond its end is refused with 400. */
export async function startWireServer({
  wire,
  story,
}: {
  readonly wire: WireName;
  readonly story: readonly WireAnswer[];
}): Promise<WireServer> {
  const format = formats[wire];
  const requests: WireRequest[] = [];
  const arrivals = new EventEmitter();
  let answered = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const received = await readRequest(request, response, format);
    requests.push(received);
    arrivals.emit('request');
    const number = answered;
    if (received.problems.length === 0) answered++;
    respond(response, format, answerFor(received, story[number]), number);
  };
  const server = createServer((request, response) => {
    // A client that leaves while it still sends has nobody left to answer.
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async received(number) {
      for (;;) {
        const request = requests[number - 1];
        if (request !== undefined) return request;
        await once(arrivals, 'request');
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(
  request: IncomingMessage,
  response: ServerResponse,
  format: WireFormat,
): Promise<WireRequest> {
  const abandoned = new Promise<void>((resolve) => {
    response.on('close', () => {
      if (!response.writableFinished) resolve();
    });
  });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = request.url ?? '';
  const body = parseBody(Buffer.concat(chunks).toString());
  const problems =
    body === undefined
      ? ['the body is not a JSON object']
      : format.check({ path, headers: request.headers, body });
  return { path, headers: request.headers, body: body ?? {}, problems, abandoned };
}

function parseBody(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function answerFor(request: WireRequest, next: WireAnswer | undefined): WireAnswer {
  if (request.problems.length > 0)
    return { kind: 'error', status: 400, message: request.problems.join('; ') };
  return next ?? { kind: 'error', status: 400, message: 'the story of this server has no further answer' };
}

function respond(response: ServerResponse, format: WireFormat, answer: WireAnswer, number: number): void {
  switch (answer.kind) {
    case 'turn':
      write(response, format.events(answer, number));
      response.end();
      return;
    case 'error':
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(JSON.stringify(format.errorBody(answer.status, answer.type, answer.message)));
      return;
    case 'stream-error':
      write(response, [
        ...(answer.turn === undefined ? [] : half(format.events(answer.turn, number))),
        format.errorEvent(answer.type, answer.message),
      ]);
      response.end();
      return;
    case 'drop':
      write(response, half(format.events(answer.turn, number)), () => response.destroy());
      return;
    case 'cut':
      write(response, half(format.events(answer.turn, number)));
      response.end();
      return;
    case 'hang':
      if (answer.turn !== undefined) write(response, half(format.events(answer.turn, number)));
      return;
    case 'garbage':
      write(response, [answer.text ?? 'data: {"what": "is" this\n\ndata: 42\n\n']);
      response.end();
      return;
    case 'page':
      response.writeHead(answer.status, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in</body></html>');
      return;
  }
}

function half(events: readonly string[]): string[] {
  return events.slice(0, Math.ceil(events.length / 2));
}

/** In pieces that end in the middle of lines and of characters, as a network may deliver them. */
function write(response: ServerResponse, events: readonly string[], done?: () => void): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  const bytes = Buffer.from(events.join(''));
  const size = 61;
  for (let start = 0; start < bytes.length; start += size)
    response.write(bytes.subarray(start, start + size));
  if (done !== undefined) response.write('', () => setImmediate(done));
}
