import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchPage } from './fetch-page.ts';
import { outputCap } from './output.ts';
import { createToolWorld, type ToolWorld } from './tool-world.ts';
import { webFetch } from './web-fetch.ts';

let world: ToolWorld;
let server: Server;
let base: string;
let routes: Record<string, RequestListener> = {};

beforeEach(async () => {
  world = await createToolWorld();
  routes = {};
  server = createServer((request, response) => {
    const route = routes[request.url ?? ''];
    if (route !== undefined) return route(request, response);
    response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await world.dispose();
});

function answers(content: string | Buffer, headers: Record<string, string> = {}): RequestListener {
  return (_, response) => response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(content);
}

async function get(path: string, more: object = {}, changes: object = {}): Promise<string> {
  const input = { url: path.startsWith('http') ? path : base + path, ...more };
  const result = await world.call(webFetch, input, { privateNetwork: true, ...changes });
  return result.kind === 'ok' ? result.output : `${result.error}: ${result.output}`;
}

describe('web_fetch', () => {
  it('returns a page as Markdown', async () => {
    routes['/'] = answers('<title>T</title><p>See <a href="/x">this</a>.', {
      'content-type': 'text/html; charset=utf-8',
    });
    expect(await get('/')).toBe(`# T\n\nSee [this](${base}/x).`);
  });

  it('returns other text as it is', async () => {
    routes['/a'] = answers('{"a": "<b>"}', { 'content-type': 'application/json' });
    routes['/b'] = answers('<svg/>', { 'content-type': 'image/svg+xml' });
    routes['/c'] = (_, response) => response.end('no type');
    expect(await get('/a')).toBe('{"a": "<b>"}');
    expect(await get('/b')).toBe('<svg/>');
    expect(await get('/c')).toBe('no type');
  });

  it('reads every encoding and compression a server may choose', async () => {
    routes['/latin'] = answers(Buffer.from('caf\xe9', 'latin1'), {
      'content-type': 'text/plain; charset=ISO-8859-1',
    });
    routes['/meta'] = answers(Buffer.from('<meta charset="koi8-r"><p>\xc1', 'latin1'), {
      'content-type': 'text/html',
    });
    routes['/unknown'] = answers('é', { 'content-type': 'text/plain; charset=martian' });
    routes['/gzip'] = answers(gzipSync('packed'), { 'content-encoding': 'gzip' });
    routes['/br'] = answers(brotliCompressSync('packed'), { 'content-encoding': 'br' });
    expect(await get('/latin')).toBe('café');
    expect(await get('/meta')).toBe('а');
    expect(await get('/unknown')).toBe('é');
    expect(await get('/gzip')).toBe('packed');
    expect(await get('/br')).toBe('packed');
  });

  it('continues a long page where it was cut', async () => {
    const text = Array.from({ length: 9_000 }, (_, index) => `line ${index}`).join('\n');
    routes['/'] = answers(text);
    const first = await get('/');
    expect(first).toContain(
      `[Characters 0 to ${outputCap} of ${text.length}; continue with offset ${outputCap}.]\n`,
    );
    const parts = [first, await get('/', { offset: outputCap }), await get('/', { offset: 2 * outputCap })];
    expect(parts.map((part) => part.slice(part.indexOf(']\n') + 2)).join('')).toContain(
      text.slice(0, 2 * outputCap),
    );
    expect(await get('/', { offset: text.length })).toMatch(/^failed: The text has \d+ characters/);
  });

  it('says what is wrong with an answer', async () => {
    routes['/image'] = answers(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), { 'content-type': 'image/png' });
    routes['/lies'] = answers(Buffer.from('%PDF-1.4'), { 'content-type': 'text/html' });
    routes['/broken'] = answers('not gzip', { 'content-encoding': 'gzip' });
    routes['/cut'] = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' }).write('begin');
      setImmediate(() => response.destroy());
    };
    expect(await get('/none')).toBe(`failed: ${base}/none answered HTTP 404 Not Found.\nnothing here`);
    expect(await get('/image')).toBe(`failed: ${base}/image: the answer is a PNG image (8 bytes), not text.`);
    expect(await get('/lies')).toMatch(/the answer is a PDF document/);
    expect(await get('/broken')).toMatch(/^failed: .* could not be fetched: incorrect header check/);
    expect(await get('/cut')).toMatch(/^failed: .* could not be fetched: aborted/);
    expect(await get('http://127.0.0.1:1/')).toMatch(/^failed: .* could not be fetched: .*ECONNREFUSED/);
  });

  it('reads no more than it may of a page that never ends, packed or not', async () => {
    routes['/endless'] = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    routes['/bomb'] = answers(gzipSync(Buffer.alloc(200_000_000, 'a')), { 'content-encoding': 'gzip' });
    expect(await get('/endless')).toMatch(
      /The page is larger than 5242880 bytes; the rest was not read\.\]\nx/,
    );
    expect(await get('/bomb')).toMatch(/The page is larger than 5242880 bytes/);
  });

  it('ends when it is cancelled, before the answer and within it', async () => {
    const stop = new AbortController();
    routes['/'] = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('begin');
      stop.abort();
    };
    expect(await get('/', {}, { signal: stop.signal })).toBe(`cancelled: Getting ${base}/ was cancelled.`);
    expect(await get('/', {}, { signal: stop.signal })).toMatch(/^cancelled: /);
  });

  const refused = [
    'http://127.0.0.1:1/',
    'http://127.1:1/',
    'http://localhost:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0x7f000001:1/',
  ];
  it.each(refused)('does not reach %s without agreement', async (url) => {
    expect(await get(url, {}, { privateNetwork: false })).toMatch(
      /^failed: .*is on this machine or a private network, which is not reached without the user's agreement\.$/,
    );
  });

  it('takes neither passwords nor other schemes', async () => {
    expect(await get('http://user:secret@example.com/')).toMatch(
      /^failed: The address holds a name or password/,
    );
    expect(await get('http://exa mple/')).toMatch(/is not an address/);
    await expect(world.call(webFetch, { url: 'file:///etc/passwd' })).rejects.toThrow(
      'The input of web_fetch is not valid: url must be a full address that begins with https:// or http://.',
    );
  });
});

describe('redirects', () => {
  function redirects(to: string, status = 302): RequestListener {
    return (_, response) => response.writeHead(status, { location: to }).end();
  }

  it('are followed within a host', async () => {
    routes['/a'] = redirects('/b', 301);
    routes['/b'] = redirects(`${base}/c`, 308);
    routes['/c'] = answers('there');
    expect(await get('/a')).toBe('there');
  });

  it('to what a rule guards are not followed', async () => {
    let reached = false;
    routes['/a'] = redirects('/b/../secret');
    routes['/secret'] = (_, response) => {
      reached = true;
      response.end('secret');
    };
    const refusal = ({ url }: { url: string }) => (url.includes('/secret') ? 'denied by a rule' : undefined);
    expect(await get('/a', {}, { refusal })).toBe(
      `failed: ${base}/a redirects to ${base}/secret: denied by a rule.`,
    );
    expect(reached).toBe(false);
  });

  it('to another host are reported, so that it passes the gate itself', async () => {
    routes['/'] = redirects('https://example.com/x');
    expect(await get('/')).toBe(
      '[The address redirects to another host. To go there, fetch https://example.com/x]',
    );
  });

  it('without an end, or to nowhere, are given up', async () => {
    routes['/loop'] = redirects('/loop');
    routes['/file'] = redirects('file:///etc/passwd');
    expect(await get('/loop')).toMatch(/^failed: .*redirects more than 5 times/);
    expect(await get('/file')).toMatch(/redirects to another host/);
  });

  it('are checked again: a name that leads elsewhere the second time is not followed', async () => {
    let asked = 0;
    // The first answer is allowed, the second is this machine under another of its addresses.
    const lookup: LookupFunction = (_host, _options, callback) => {
      asked += 1;
      callback(null, [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
    };
    const { port } = server.address() as AddressInfo;
    routes['/'] = redirects('/again');
    routes['/again'] = answers('reached');
    const page = fetchPage(new URL(`http://name.test:${port}/`), {
      mayReach: (address) => address === '127.0.0.1',
      signal: world.context.signal,
      sizeCap: 1_000,
      lookup,
    });
    await expect(page).rejects.toThrow('name.test (127.0.0.2) is on this machine or a private network');
    expect(asked).toBe(2);
  });
});
