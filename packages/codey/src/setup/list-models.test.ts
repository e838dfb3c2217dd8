import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { listModels } from './list-models.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const list = (...ids: readonly unknown[]): string => JSON.stringify({ data: ids.map((id) => ({ id })) });

it('asks where a session would send its requests, with the key if there is one', async () => {
  const asked: (string | undefined)[] = [];
  const address = await serve(({ url, headers }, response) => {
    asked.push(url, headers.authorization);
    response.end(list('one', 'meta/two'));
  });
  expect(await listModels(address, 'k')).toEqual(['one', 'meta/two']);
  expect(await listModels(`${address}/api/`, undefined)).toEqual(['one', 'meta/two']);
  expect(asked).toEqual(['/v1/models', 'Bearer k', '/api/models', undefined]);
});

it('gives no more names than a screen holds, and none that is no word', async () => {
  const address = await serve((_request, response) =>
    response.end(
      list('', 'two words', 7, null, '\u001b[2J', ...Array.from({ length: 50 }, (_, n) => `m${n}`)),
    ),
  );
  const names = await listModels(address, undefined);
  expect([names[0], names.length]).toEqual(['m0', 12]);
});

it.each<[string, RequestListener]>([
  ['says no', (_request, response) => void response.writeHead(401).end(list('one'))],
  ['answers with a page', (_request, response) => void response.end('<html></html>')],
  ['answers with something else', (_request, response) => void response.end('{"data": "none"}')],
  ['never answers', () => {}],
])('gives none where the server %s', async (_name, listener) => {
  expect(await listModels(await serve(listener), undefined, 200)).toEqual([]);
});

it('gives none where nobody listens or the address is none', async () => {
  expect(await listModels('http://127.0.0.1:1', undefined)).toEqual([]);
  expect(await listModels('no address', undefined)).toEqual([]);
});

it('takes its key nowhere else', async () => {
  let visited = false;
  const elsewhere = await serve((_request, response) => {
    visited = true;
    response.end(list('one'));
  });
  const address = await serve((_request, response) =>
    response.writeHead(302, { location: `${elsewhere}/v1/models` }).end(),
  );
  expect(await listModels(address, 'k')).toEqual([]);
  expect(visited).toBe(false);
});
