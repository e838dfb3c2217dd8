import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSkills } from '@codey/agent';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installSkill } from './herdr-skill.ts';

const skill = '---\nname: herdr\ndescription: "Drives panes of herdr."\n---\n\n# herdr\n';
const old = '---\nname: herdr\ndescription: The one before.\n---\n';

let home: string;
let servers: Server[];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'skill-home-'));
  servers = [];
});
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await rm(home, { recursive: true, force: true });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

const install = (url: string) => installSkill({ home, environment: { CODEY_HERDR_SKILL_URL: url } });
const folder = (): string => join(home, '.agents/skills/herdr');

/** Every file below the home with its content. */
async function contents(): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(home, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file.slice(home.length + 1), await readFile(file, 'utf8')])),
  );
}

describe('the install', () => {
  it('writes what was published where personal skills are found [codey.skill.writes-file] [codey.skill.listed-next-start] [codey.skill.not-bundled]', async () => {
    const url = await serve(answering(200, skill, { 'content-type': 'text/plain' }));
    expect(await install(`${url}/SKILL.md`)).toEqual({ ok: true, file: join(folder(), 'SKILL.md') });
    expect(await contents()).toEqual({ '.agents/skills/herdr/SKILL.md': skill });
    const { skills } = await loadSkills({ projectRoot: join(home, 'project'), home });
    expect(skills.map(({ name }) => name)).toEqual(['herdr']);
  });

  it('is undone by removing the folder [codey.skill.uninstall-by-removal]', async () => {
    const url = await serve(answering(200, skill));
    await install(url);
    await rm(folder(), { recursive: true });
    expect((await loadSkills({ projectRoot: join(home, 'project'), home })).skills).toEqual([]);
  });

  it('replaces SKILL.md alone, in one step, and leaves what stands beside it [codey.skill.temp-then-rename]', async () => {
    const elsewhere = join(home, 'elsewhere');
    await mkdir(join(elsewhere, 'docs'), { recursive: true });
    await writeFile(join(elsewhere, 'SKILL.md'), old);
    await writeFile(join(elsewhere, 'docs/more.md'), 'more');
    await mkdir(join(home, '.agents/skills'), { recursive: true });
    await symlink(elsewhere, folder());
    const url = await serve(answering(200, skill));
    expect(await install(url)).toMatchObject({ ok: true });
    expect(await contents()).toEqual({ 'elsewhere/SKILL.md': skill, 'elsewhere/docs/more.md': 'more' });
  });

  it('follows a redirect within the host', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/new') response.end(skill);
      else response.writeHead(301, { location: '/new' }).end();
    });
    expect(await install(`${url}/old`)).toMatchObject({ ok: true });
  });
});

describe('what is refused, with a reason and without a trace', () => {
  const page = '<!doctype html><html><body>Sign in</body></html>';
  const cases: readonly (readonly [name: string, listener: RequestListener, reason: RegExp])[] = [
    [
      'a login page [codey.skill.rejects-web-page]',
      answering(200, page, { 'content-type': 'text/html' }),
      /is no skill: it does not begin with a frontmatter/,
    ],
    ['an error page [codey.skill.rejects-web-page]', answering(503, 'down'), /answered with status 503/],
    ['a page that is not there', answering(404, '404: Not Found'), /answered with status 404/],
    [
      'a file of another shape [codey.skill.rejects-changed-shape] [codey.skill.checked-by-loader]',
      answering(200, 'name = "herdr"\n'),
      /is no skill/,
    ],
    [
      'the skill of somebody else [codey.skill.rejects-changed-shape]',
      answering(200, skill.replace('herdr', 'other')),
      /its folder is called herdr/,
    ],
    [
      'one without a description [codey.skill.rejects-changed-shape]',
      answering(200, '---\nname: herdr\n---\n'),
      /no "description"/,
    ],
    ['an empty answer', answering(204, ''), /status 204/],
    [
      'a redirect to another host',
      answering(302, '', { location: 'http://localhost:9/SKILL.md' }),
      /leads to another host, http:\/\/localhost:9/,
    ],
    ['a redirect in a circle', answering(302, '', { location: '/' }), /leads in circles/],
    ['a file that never ends', (_request, response) => endless(response), /is larger than 256 KiB/],
    ['bytes that are no text', answering(200, Buffer.from([0x2d, 0xff, 0xfe])), /not UTF-8 text/],
    [
      'a connection that breaks off',
      (_request, response) =>
        void response.writeHead(200, { 'content-length': '9999' }).write('---', () => response.destroy()),
      /cannot be reached/,
    ],
  ];

  it.each(cases)('%s', async (_name, listener, reason) => {
    const url = await serve(listener);
    expect(await install(`${url}/`)).toEqual({ ok: false, message: expect.stringMatching(reason) });
    expect(await contents()).toEqual({});
  });

  it.each(cases)(
    'also where an earlier copy is, which stays byte for byte: %s [codey.skill.failed-update-keeps-old]',
    async (_name, listener) => {
      await mkdir(folder(), { recursive: true });
      await writeFile(join(folder(), 'SKILL.md'), old);
      const url = await serve(listener);
      expect(await install(`${url}/`)).toMatchObject({ ok: false });
      expect(await contents()).toEqual({ '.agents/skills/herdr/SKILL.md': old });
    },
  );

  it('a server that is not there [codey.skill.offline-writes-nothing] [codey.skill.offline-says-why]', async () => {
    const url = await serve(answering(200, skill));
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(await install(url)).toEqual({
      ok: false,
      message: expect.stringMatching(
        /^herdr's skill was not installed: 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)$/,
      ),
    });
    expect(await contents()).toEqual({});
  });

  it('one that drips for ever', async () => {
    const url = await serve((_request, response) => {
      const drip = setInterval(() => response.write('-'), 20);
      response.on('close', () => clearInterval(drip));
    });
    const environment = { CODEY_HERDR_SKILL_URL: url };
    expect(await installSkill({ home, environment, deadlineMs: 200 })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/took longer than 0.2 s/),
    });
    expect(await contents()).toEqual({});
  });

  it('an address that is none', async () => {
    expect(await install('file:///etc/passwd')).toMatchObject({
      ok: false,
      message: expect.stringMatching(/is not an http address/),
    });
  });

  it('a place that cannot be written, leaving no temporary file', async () => {
    await mkdir(join(folder(), 'SKILL.md'), { recursive: true });
    const url = await serve(answering(200, skill));
    expect(await install(url)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/SKILL\.md cannot be written/),
    });
    expect(await readdir(folder())).toEqual(['SKILL.md']);
  });

  it.skipIf(process.getuid?.() === 0)('a folder without permission', async () => {
    await mkdir(join(home, '.agents'));
    await chmod(join(home, '.agents'), 0o500);
    const url = await serve(answering(200, skill));
    expect(await install(url)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/permission is denied/),
    });
  });
});

function endless(response: Parameters<RequestListener>[1]): void {
  const more = (): void => {
    if (!response.destroyed) response.write('x'.repeat(64 * 1024), more);
  };
  response.on('error', () => {});
  more();
}
