import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HookDefinition } from '../config/hook.ts';
import { isRefusedAddress } from './address.ts';
import { createHttpRunner, type HttpRunnerOptions } from './http.ts';
import type { RunRequest } from './runner.ts';
import { matchesUrlPattern } from './url-pattern.ts';

const input = '{"event":"Stop"}\n';
const servers: { server: Server; sockets: Set<Socket> }[] = [];

afterEach(async () => {
  await Promise.all(
    servers.splice(0).map(({ server, sockets }) => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    }),
  );
});

async function serve(listener: (...args: Parameters<RequestListener>) => unknown): Promise<string> {
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  servers.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of message.setEncoding('utf8')) text += piece;
  return text;
}

interface Hook {
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowedEnvVars?: readonly string[];
}

function post(
  url: string,
  hook: Hook = {},
  options: Partial<HttpRunnerOptions> = {},
  more: Partial<RunRequest> = {},
) {
  const runner = createHttpRunner({ environment: { TOKEN: 's3cret', OTHER: 'private' }, ...options });
  return runner.run({
    hook: {
      id: 'Stop:00000000',
      handler: { type: 'http', url, headers: {}, allowedEnvVars: [], ...hook },
    } as unknown as HookDefinition,
    runId: 'run',
    input,
    workspace: '/',
    environment: {},
    deadlineMs: 60_000,
    ...more,
  });
}

/** Every name is at these addresses. */
function resolvingTo(...addresses: string[]): LookupFunction {
  return (_hostname, options, done) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family ?? 0);
  };
}

describe('an http hook', () => {
  it('posts the payload’s own bytes as JSON [koder.field.http-post] [contract.stdin.same-bytes]', async () => {
    const seen: unknown[] = [];
    const url = await serve(async (request, response) => {
      seen.push([request.method, request.url, request.headers['content-type'], await bodyOf(request)]);
      response.end('{"decision":"block","reason":"no"}');
    });
    const result = await post(`${url}/hook?team=a`);
    expect(result).toMatchObject({
      end: { kind: 'exited', code: 0 },
      stdout: '{"decision":"block","reason":"no"}',
      stderr: '',
    });
    expect(seen).toEqual([['POST', '/hook?team=a', 'application/json', input]]);
  });

  it('sends its headers, with listed variables only [koder.http.headers-sent] [koder.http.allowed-expansion] [koder.http.unlisted-not-sent]', async () => {
    let headers: IncomingMessage['headers'] = {};
    const url = await serve((request, response) => {
      headers = request.headers;
      response.end();
    });
    await post(url, {
      headers: { Authorization: 'Bearer ${TOKEN}', 'X-Other': '[${OTHER}${UNSET}$TOKEN]' },
      allowedEnvVars: ['TOKEN', 'UNSET'],
    });
    expect(headers).toMatchObject({ authorization: 'Bearer s3cret', 'x-other': '[$TOKEN]' });
  });

  it.each([
    ['X-Note', 'a\r\nX-Admin: yes', 'X-Note'],
    ['X-Note', '${EVIL}', 'X-Note'],
    ['X Note', 'a', 'is no name for a header'],
    ['Transfer-Encoding', 'chunked', 'Transfer-Encoding'],
    ['Host', 'other.example', 'Host'],
  ])('sends nothing with a header %s: %j', async (name, value, words) => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.end();
    });
    const environment = { EVIL: 'x\r\nX-Admin: yes' };
    const { end } = await post(
      url,
      { headers: { [name]: value }, allowedEnvVars: ['EVIL'] },
      { environment },
    );
    expect(end).toMatchObject({
      kind: 'failed',
      cause: 'http-network',
      message: expect.stringContaining(words),
    });
    expect(JSON.stringify(end)).not.toContain('X-Admin');
    expect(asked).toBe(0);
  });

  it('has started once it is sent, not when it is refused', async () => {
    let started = 0;
    const onStart = () => {
      started += 1;
    };
    const url = await serve((_request, response) => void response.end());
    await post(url, {}, {}, { onStart });
    await post('ftp://127.0.0.1/', {}, {}, { onStart });
    expect(started).toBe(1);
  });
});

describe('an answer', () => {
  it.each([200, 201, 204])('with status %i is read [contract.output.http-status]', async (status) => {
    const url = await serve((_request, response) => response.writeHead(status).end());
    expect(await post(url)).toMatchObject({ end: { kind: 'exited', code: 0 }, stdout: '' });
  });

  it.each([301, 302, 303, 304, 400, 404, 500, 503])(
    'with status %i is a failed hook [contract.output.http-status]',
    async (status) => {
      const url = await serve((_request, response) =>
        response.writeHead(status, { location: '/' }).end('{"decision":"allow"}'),
      );
      const result = await post(url);
      expect(result.end).toMatchObject({
        kind: 'failed',
        cause: 'http-status',
        message: expect.stringContaining(`${status}`),
      });
      expect(result.stdout).toBe('');
    },
  );

  it('that is a web page is a failed hook', async () => {
    const url = await serve((_request, response) =>
      response.setHeader('content-type', 'text/html; charset=utf-8').end('<p>Log in'),
    );
    expect((await post(url)).end).toMatchObject({ kind: 'failed', cause: 'output' });
  });

  it('without end is cut at the cap [contract.cap.parsed-output]', async () => {
    const url = await serve((_request, response) => {
      const piece = Buffer.alloc(256 * 1024, 'x');
      const pour = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', pour);
      pour();
    });
    const result = await post(url);
    expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, stdoutTruncated: true });
    expect(result.stdout.length).toBe(1024 * 1024);
  });

  it('that breaks off is a failed hook', async () => {
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"decision":', () => request.socket.destroy());
    });
    expect((await post(url)).end).toMatchObject({ kind: 'failed', cause: 'http-network' });
  });

  it('that never was is a failed hook', async () => {
    const closing = await serve((request) => void request.socket.destroy());
    expect((await post(closing)).end).toMatchObject({ kind: 'failed', cause: 'http-network' });
    const { server } = servers[0] as { server: Server };
    await new Promise((resolve) => server.close(resolve));
    servers.splice(0);
    expect((await post(closing)).end).toMatchObject({
      kind: 'failed',
      cause: 'http-network',
      message: expect.stringContaining('nothing listens there'),
    });
  });
});

describe('the deadline', () => {
  it.each<[string, RequestListener]>([
    ['never answers', () => {}],
    ['never ends its answer', (_request, response) => void response.write('{')],
    [
      'drips',
      (_request, response) => {
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('covers a server that %s [koder.field.timeout-http]', async (_name, listener) => {
    const url = await serve(listener);
    expect((await post(url, {}, {}, { deadlineMs: 200 })).end).toEqual({ kind: 'timed-out', afterMs: 200 });
  });

  it('covers a name that is never found, and so does a cancel', async () => {
    const lookup: LookupFunction = () => {};
    const cancel = new AbortController();
    const cancelled = post('http://hooks.example/', {}, { lookup }, { signal: cancel.signal });
    cancel.abort();
    expect((await cancelled).end).toEqual({ kind: 'cancelled' });
    const late = await post('http://hooks.example/', {}, { lookup }, { deadlineMs: 100 });
    expect(late.end).toEqual({ kind: 'timed-out', afterMs: 100 });
  });
});

describe('a redirect', () => {
  it('within the origin is followed with method and payload', async () => {
    const seen: string[] = [];
    const url = await serve(async (request, response) => {
      seen.push(`${request.method} ${request.url} ${await bodyOf(request)}`);
      if (request.url === '/a') response.writeHead(308, { location: 'b' }).end();
      else if (request.url === '/b') response.writeHead(307, { location: '/c' }).end();
      else response.end('done');
    });
    expect((await post(`${url}/a`)).stdout).toBe('done');
    expect(seen).toEqual([`POST /a ${input}`, `POST /b ${input}`, `POST /c ${input}`]);
  });

  it('without end is given up after three', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.writeHead(307, { location: '/again' }).end();
    });
    expect((await post(url)).end).toMatchObject({ kind: 'failed', cause: 'http-status' });
    expect(asked).toBe(4);
  });

  it('to another origin is refused [koder.privacy.http-only-to-url]', async () => {
    let asked = 0;
    const other = await serve((_request, response) => {
      asked += 1;
      response.end();
    });
    const url = await serve((_request, response) => response.writeHead(307, { location: other }).end());
    expect((await post(url)).end).toMatchObject({ kind: 'failed', cause: 'http-address' });
    expect(asked).toBe(0);
  });

  it('leads nowhere that the managed list does not allow', async () => {
    const url = await serve((_request, response) => response.writeHead(307, { location: '/private' }).end());
    const { end } = await post(`${url}/hooks`, {}, { allowedUrls: () => [`${url}/hooks`] });
    expect(end).toMatchObject({ cause: 'http-address', message: expect.stringContaining('/private') });
  });
});

describe('an address of the link or of a metadata service is refused', () => {
  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
  ])('written as %s', async (url) => {
    expect((await post(url)).end).toMatchObject({ kind: 'failed', cause: 'http-address' });
  });

  it.each([[['169.254.169.254']], [['127.0.0.1', '::ffff:a9fe:a9fe']]])(
    'behind a name, at the moment of connecting: %j',
    async (addresses) => {
      const { end } = await post('http://hooks.example/', {}, { lookup: resolvingTo(...addresses) });
      expect(end).toMatchObject({ kind: 'failed', cause: 'http-address' });
    },
  );

  it('while a name for this machine works', async () => {
    const url = await serve((_request, response) => void response.end('here'));
    const named = url.replace('127.0.0.1', 'hooks.example');
    expect((await post(named, {}, { lookup: resolvingTo('127.0.0.1') })).stdout).toBe('here');
  });

  it.each([
    ['169.254.0.1', true],
    ['64:ff9b::a9fe:1', true],
    ['2002:a9fe:a9fe::1', true],
    ['::169.254.169.254', true],
    ['fe80::1%eth0', true],
    ['febf::1', true],
    ['100.100.100.200', true],
    ['127.0.0.1', false],
    ['10.0.0.1', false],
    ['192.168.1.1', false],
    ['::1', false],
    ['fd12::1', false],
    ['fec0::1', false],
    ['93.184.216.34', false],
    ['not an address', false],
  ])('%s: %s', (address, refused) => {
    expect(isRefusedAddress(address)).toBe(refused);
  });
});

describe('allowedHttpHookUrls', () => {
  it('blocks every url when it is empty', async () => {
    const { end } = await post('http://127.0.0.1:9/', {}, { allowedUrls: () => [] });
    expect(end).toMatchObject({ kind: 'failed', cause: 'http-address' });
  });

  it.each([
    ['*', 'https://any.example/x', true],
    ['https://hooks.example/*', 'https://hooks.example/a/b?c=d', true],
    ['https://HOOKS.example/*', 'https://hooks.EXAMPLE/a', true],
    ['https://hooks.example/a', 'https://hooks.example/A', false],
    ['https://hooks.example', 'https://hooks.example/', true],
    ['https://hooks.example', 'https://hooks.example/a', false],
    ['https://hooks.example:443/*', 'https://hooks.example/a', true],
    ['https://hooks.example/*', 'https://hooks.example:8443/a', false],
    ['http://127.0.0.1:*/*', 'http://127.0.0.1:8080/a', true],
    ['http://localhost:*', 'http://localhost:8080/a', true],
    ['http://localhost:*', 'http://localhost.evil.test:80/a', false],
    ['https://*.example/*', 'https://a.b.example/x', true],
    ['https://*.example/*', 'https://evil.test/x.example/', false],
    ['https://*.example/*', 'https://evil.test?.example/', false],
    ['https://hooks.example*', 'https://hooks.example.evil.test/', true],
    ['https://hooks.example/*', 'https://hooks.example@evil.test/', false],
    ['https://*/*', 'https://user@hooks.example/', false],
    ['https://hooks.example/*', 'http://hooks.example/', false],
    ['hooks.example/*', 'https://hooks.example/', false],
    ['https://hooks.example/*.json', 'https://hooks.example/.json', true],
    ['https://hooks.example/a*a', 'https://hooks.example/a', false],
  ])('%s on %s: %s', (pattern, url, matches) => {
    expect(matchesUrlPattern(pattern, new URL(url))).toBe(matches);
  });
});
