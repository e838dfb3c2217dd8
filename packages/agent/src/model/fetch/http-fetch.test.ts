import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { PlainHeaders } from './headers.ts';
import { httpFetch } from './http-fetch.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  server = undefined;
});

async function serve(listener: RequestListener): Promise<string> {
  const made = createServer(listener);
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request) body += piece;
  return body;
}

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it did not fail',
    (error: unknown) => error,
  );
}

it('sends method, headers and body, and gives back status, headers and body', async () => {
  const url = await serve((request, response) => {
    response.writeHead(201, 'Made', { 'X-Answer': ['one', 'two'], 'content-type': 'application/json' });
    void bodyOf(request).then((body) =>
      response.end(
        JSON.stringify({
          method: request.method,
          path: request.url,
          key: request.headers['x-key'],
          length: request.headers['content-length'],
          body,
        }),
      ),
    );
  });
  const answer = await httpFetch(`${url}/v1?a=b`, {
    method: 'POST',
    headers: { 'X-Key': 'k' },
    body: 'grün',
  });
  expect([answer.ok, answer.status, answer.statusText]).toStrictEqual([true, 201, 'Made']);
  expect(answer.headers.get('x-answer')).toBe('one, two');
  expect(Object.fromEntries(answer.headers)).toMatchObject({ 'content-type': 'application/json' });
  expect(await answer.json()).toStrictEqual({
    method: 'POST',
    path: '/v1?a=b',
    key: 'k',
    length: '5',
    body: 'grün',
  });
});

it('hands over each piece of a stream when it comes', async () => {
  let send: (text: string) => void = () => {};
  const url = await serve((_, response) => {
    response.writeHead(200);
    send = (text) => (text === '' ? response.end() : response.write(text));
    send('one');
  });
  const reader = (await httpFetch(url)).body?.getReader();
  const next = async () => new TextDecoder().decode((await reader?.read())?.value);
  expect(await next()).toBe('one');
  send('two');
  expect(await next()).toBe('two');
  send('');
  expect(await reader?.read()).toStrictEqual({ done: true, value: undefined });
});

it.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('reads an answer that came as %s unasked', async (encoding, compress) => {
  const url = await serve((request, response) => {
    response.setHeader('x-asked', String(request.headers['accept-encoding']));
    response.setHeader('content-encoding', encoding);
    response.end(compress('packed'));
  });
  const answer = await httpFetch(url);
  expect(answer.headers.get('x-asked')).toBe('identity');
  expect(await answer.text()).toBe('packed');
});

it('follows no redirect', async () => {
  const url = await serve((_, response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
  );
  expect((await httpFetch(url, { method: 'POST', body: '{}' })).status).toBe(307);
});

it('keeps the connection for the next request, also when the last piece was not waited for', async () => {
  const ports: (number | undefined)[] = [];
  const url = await serve((request, response) => {
    ports.push(request.socket.remotePort);
    response.write('last event');
    response.end();
  });
  const reader = (await httpFetch(url)).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await (await httpFetch(url)).text();
  await (await httpFetch(url)).text();
  expect(ports).toHaveLength(3);
  expect(ports[2]).toBe(ports[1]);
});

it('asks again at once when a kept connection was closed in the moment of use', async () => {
  let requests = 0;
  const url = await serve((request, response) => {
    requests += 1;
    if (requests === 2) request.socket.resetAndDestroy();
    else response.end(`answer ${requests}`);
  });
  await (await httpFetch(url)).text();
  expect(await (await httpFetch(url, { method: 'POST', body: '{}' })).text()).toBe('answer 3');
});

describe('fails', () => {
  it('as fetch does where nobody listens', async () => {
    const url = await serve(() => {});
    await new Promise((resolve) => server?.close(resolve));
    server = undefined;
    const error = await reasonOf(httpFetch(url));
    expect(error).toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it('with the signal’s reason, before, during and after the answer began', async () => {
    const reason = new Error('enough');
    const aborted = AbortSignal.abort(reason);
    let arrived: () => void = () => {};
    const url = await serve((request, response) => {
      if (request.url === '/silent') arrived();
      else response.write('begun');
    });
    expect(await reasonOf(httpFetch(url, { signal: aborted }))).toBe(reason);

    const waiting = new AbortController();
    arrived = () => waiting.abort(reason);
    expect(await reasonOf(httpFetch(`${url}/silent`, { signal: waiting.signal }))).toBe(reason);

    const reading = new AbortController();
    const reader = (await httpFetch(url, { signal: reading.signal })).body?.getReader();
    await reader?.read();
    reading.abort(reason);
    expect(await reasonOf(reader?.read() ?? Promise.resolve())).toBe(reason);
  });

  it('in the body when the connection breaks off', async () => {
    const url = await serve((_, response) => {
      response.write('begun', () => response.socket?.resetAndDestroy());
    });
    expect(await reasonOf((await httpFetch(url)).text())).toMatchObject({ code: 'ECONNRESET' });
  });

  it('for a body it cannot send', async () => {
    const url = await serve((_, response) => response.end());
    expect(
      await reasonOf(httpFetch(url, { method: 'POST', body: new URLSearchParams('a=b') })),
    ).toBeInstanceOf(TypeError);
  });
});

describe('headers', () => {
  it('have names without case, in one value each', () => {
    const headers = new PlainHeaders([
      ['X-One', ' a '],
      ['x-one', 'b'],
    ]);
    headers.set('Two', 'c');
    headers.set('three', 'd');
    headers.delete('THREE');
    const seen: string[] = [];
    headers.forEach((value, name) => seen.push(`${name}=${value}`));
    expect(seen).toStrictEqual(['x-one=a, b', 'two=c']);
    expect([headers.has('TWO'), headers.get('three')]).toStrictEqual([true, null]);
    expect([...new PlainHeaders(headers).keys()]).toStrictEqual(['x-one', 'two']);
    expect([...new PlainHeaders({ a: 'b' }).values()]).toStrictEqual(['b']);
  });
});
