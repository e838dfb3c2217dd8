import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { addressOf, type Collector, connectCollector } from './collector.ts';

let server: Server | undefined;
let collector: Collector | undefined;
afterEach(async () => {
  collector?.hangUp();
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  server = undefined;
});

async function connect(listener: RequestListener): Promise<Collector> {
  const made = createServer(listener);
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  const endpoint = new URL(`http://127.0.0.1:${(made.address() as AddressInfo).port}`);
  collector = await connectCollector({ endpoint, headers: { traces: {}, logs: {} } });
  return collector;
}

const something = new TextEncoder().encode('{}');

describe('a collector', () => {
  it('that says “later” is asked again', async () => {
    let asked = 0;
    const { send } = await connect((_, response) => {
      asked += 1;
      response.writeHead(asked === 1 ? 503 : 200).end();
    });
    expect(await send('traces', something)).toBeUndefined();
    expect(asked).toBe(2);
  });

  it('takes what it answers with nothing, an object, or a partial success that lost nothing', async () => {
    const answers = ['', '{}', '{"partialSuccess":{"rejectedSpans":0}}', '{"partialSuccess":null}'];
    const { send } = await connect((_, response) => response.end(answers.shift()));
    while (answers.length > 0) expect(await send('logs', something)).toBeUndefined();
  });

  it('is hung up on in the middle of an answer and before one', async () => {
    let asked = 0;
    let bothAsked = (): void => {};
    const both = new Promise<void>((resolve) => {
      bothAsked = resolve;
    });
    const made = await connect((request, response) => {
      if (request.url === '/v1/traces') response.writeHead(200).write('{');
      asked += 1;
      if (asked === 2) bothAsked();
    });
    const sent = Promise.all([made.send('traces', something), made.send('logs', something)]);
    await both;
    made.hangUp();
    expect(await sent).toEqual([expect.any(String), expect.any(String)]);
    expect(await made.send('logs', something)).toEqual(expect.any(String));
    await made.idle();
  });
});

it.each([
  ['http://h:4318', 'http://h:4318/v1/traces'],
  ['https://h/', 'https://h/v1/traces'],
  ['https://h/otlp//', 'https://h/otlp/v1/traces'],
  ['https://h/otlp?key=k', 'https://h/otlp/v1/traces?key=k'],
])('the endpoint %s takes traces at %s', (endpoint, address) => {
  expect(addressOf(new URL(endpoint), 'traces').href).toBe(address);
});
