// Plugins from folders, archives, git repositories and a package registry, and what becomes of hostile ones.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createProcessHost, loadSettings, type ProcessHost } from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyTree } from './copy-tree.ts';
import { loadEnabledPlugins } from './enabled.ts';
import { type Installed, installPlugin } from './install.ts';
import { loadPlugin } from './load-plugin.ts';
import { expandCommand, parsePromptCommand } from './prompt-command.ts';
import { parseSource } from './source.ts';
import { openPluginStore, type PluginStore } from './store.ts';
import { untar } from './untar.ts';

let root: string;
let home: string;
let store: PluginStore;
let processes: ProcessHost;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'plugins-')));
  home = join(root, 'home');
  await mkdir(home);
  store = openPluginStore(home, process.pid);
  processes = createProcessHost();
});
afterEach(async () => {
  expect(await processes.settle(10_000)).toBe(true);
  await rm(root, { recursive: true, force: true });
});

async function write(name: string, content: string | object): Promise<string> {
  const file = join(root, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const hook = (command: string) => ({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } });

/** A folder with a bit of everything. */
async function makePlugin(folder = 'plugin', version = '1.0.0'): Promise<string> {
  await write(`${folder}/plugin.json`, {
    name: 'guard',
    version,
    description: 'Guards.',
    mcpServers: { one: { command: 'serve' } },
  });
  await write(`${folder}/hooks/hooks.json`, hook(`"$CODEY_SKILL_DIR/guard.sh"`));
  await chmod(await write(`${folder}/guard.sh`, '#!/bin/sh\nexit 0\n'), 0o755);
  await write(`${folder}/mcp.json`, { mcpServers: { two: { url: 'https://example.invalid' } } });
  await write(`${folder}/commands/review.md`, '---\ndescription: "Reviews."\n---\nReview $ARGUMENTS.\n');
  await write(`${folder}/skills/look/SKILL.md`, '---\nname: look\ndescription: Look.\n---\nLook.\n');
  return join(root, folder);
}

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  ...more,
});

function install(source: string, more: Readonly<Record<string, string>> = {}): Promise<Installed> {
  return installPlugin({
    source,
    cwd: root,
    home,
    store,
    world: { processes, environment: environment(more), signal: new AbortController().signal },
  });
}

/** What stands in the store beside the list itself. */
async function stored(): Promise<readonly string[]> {
  const names = await readdir(store.folder, { recursive: true }).catch(() => []);
  return names.filter((name) => !/^installed\.json$|\.held/.test(name)).sort();
}

describe('a plugin', () => {
  it('contributes hooks, servers, commands, skills and agents, each with its root [koder.scope.plugin-file] [koder.env.skill-dir-plugin]', async () => {
    const loaded = await loadPlugin({ root: await makePlugin(), fromRepository: false, projectRoot: root });
    if (loaded.kind === 'problem') throw new Error(loaded.problems.join());
    const { plugin, warnings } = loaded;
    expect(warnings).toEqual([]);
    expect(plugin).toMatchObject({
      name: 'guard',
      version: '1.0.0',
      description: 'Guards.',
      skillFolders: [join(root, 'plugin/skills')],
    });
    expect(plugin.hooks.policy.map(({ source }) => source)).toEqual([
      expect.objectContaining({
        scope: 'plugin',
        contributor: 'guard',
        root: join(root, 'plugin'),
        fromRepository: false,
        line: 1,
      }),
    ]);
    expect(Object.keys(plugin.servers.servers)).toEqual(['two', 'one']);
    expect(plugin.commands).toEqual([
      { name: 'guard:review', description: 'Reviews.', text: 'Review $ARGUMENTS.' },
    ]);
  });

  it('of another format contributes its hooks alone, read as that format says', async () => {
    await write('theirs/.claude-plugin/plugin.json', { name: 'theirs', mcpServers: './servers.json' });
    await write('theirs/hooks/hooks.json', {
      hooks: { PreToolUse: [{ matcher: 'Bash', ...hook('x').hooks.PreToolUse[0] }], MessageDisplay: [] },
    });
    await write('theirs/.mcp.json', { mcpServers: { two: { url: 'https://example.invalid' } } });
    await write('theirs/commands/review.md', 'Review with Bash.\n');
    const folder = join(root, 'theirs');
    const loaded = await loadPlugin({ root: folder, fromRepository: false, projectRoot: root });
    expect(loaded).toMatchObject({
      kind: 'plugin',
      warnings: [],
      plugin: {
        name: 'theirs',
        version: '0.0.0',
        hooks: { policy: [{ event: 'PreToolUse', dialect: 'claude', source: { contributor: 'theirs' } }] },
        servers: { servers: {} },
        commands: [],
        skillFolders: [],
        agentFolders: [],
      },
    });
    await rm(join(folder, 'hooks/hooks.json'));
    await symlink(await write('elsewhere.json', hook('true')), join(folder, 'hooks/hooks.json'));
    expect(await loadPlugin({ root: folder, fromRepository: false, projectRoot: root })).toMatchObject({
      plugin: { hooks: { policy: [] } },
    });
  });

  it('of another format may name more files with hooks, and is none where they cannot be read', async () => {
    const load = async (hooks: unknown) => {
      await write('theirs/.claude-plugin/plugin.json', { name: 'theirs', hooks });
      return loadPlugin({ root: join(root, 'theirs'), fromRepository: false, projectRoot: root });
    };
    await write('theirs/hooks/hooks.json', hook('usual'));
    await write('theirs/more.json', hook('more'));
    await write('outside.json', hook('outside'));
    const usual = { handler: { command: 'usual' } };
    const more = { handler: { command: 'more' } };
    expect(await load('./hooks/hooks.json')).toMatchObject({ plugin: { hooks: { policy: [usual] } } });
    expect(await load(['./more.json', '../outside.json'])).toMatchObject({
      plugin: { hooks: { policy: [usual, more] } },
      warnings: ['../outside.json, named by the plugin theirs, is no file in it; its hooks do not run'],
    });
    expect(await load(hook('inline').hooks)).toMatchObject({
      kind: 'problem',
      problems: [expect.stringContaining('hooks that stand in the manifest itself are not read')],
    });
  });

  it('loses a bad hook and nothing else [contract.load.contributed-entry-warns]', async () => {
    const folder = await makePlugin();
    await write('plugin/hooks/hooks.json', { hooks: { PreTolUse: [], ...hook('true').hooks } });
    const loaded = await loadPlugin({ root: folder, fromRepository: false, projectRoot: root });
    expect(loaded).toMatchObject({
      kind: 'plugin',
      plugin: { hooks: { policy: [{ event: 'PreToolUse' }] } },
      warnings: [
        expect.stringMatching(
          /hooks\.json:1:\d+ {2}unknown event "PreTolUse" .*this entry of the plugin guard does not count$/,
        ),
      ],
    });
  });

  it('reads nothing from outside of its folder', async () => {
    const folder = await makePlugin();
    await rm(join(folder, 'hooks/hooks.json'));
    await symlink(await write('elsewhere.json', hook('true')), join(folder, 'hooks/hooks.json'));
    await symlink(await write('secret.md', 'secret'), join(folder, 'commands/secret.md'));
    const loaded = await loadPlugin({ root: folder, fromRepository: false, projectRoot: root });
    expect(loaded).toMatchObject({ plugin: { hooks: { policy: [] }, commands: [{ name: 'guard:review' }] } });
  });

  it.each([
    [undefined, 'plugin.json does not exist, so this is no plugin'],
    ['{', 'plugin.json is no JSON: '],
    [{ name: '../up', version: '1' }, 'needs a "name" of lower-case letters'],
    [{ name: 'guard' }, 'needs a "version" such as "1.2.0"'],
    [{ name: 'guard', version: '../1' }, 'needs a "version" such as "1.2.0"'],
  ])('without a good manifest is none: %j', async (manifest, problem) => {
    await mkdir(join(root, 'plugin'));
    if (manifest !== undefined) await write('plugin/plugin.json', manifest);
    expect(
      await loadPlugin({ root: join(root, 'plugin'), fromRepository: false, projectRoot: root }),
    ).toEqual({
      kind: 'problem',
      problems: [expect.stringContaining(problem)],
    });
  });
});

describe('a command', () => {
  it.each([
    ['/guard:review a.ts b.ts', 'Review a.ts b.ts, $& and $1.'],
    ['/guard:review', 'Review , $& and $1.'],
    ['/guard:plain now', 'Just do it.\n\nnow'],
    ['/guard:plain', 'Just do it.'],
    ['/guard:other x', '/guard:other x'],
    ['say /guard:plain', 'say /guard:plain'],
  ])('%j becomes %j', async (prompt, expected) => {
    const commands = [
      await parsePromptCommand('guard:review', 'Review $ARGUMENTS, $& and $1.'),
      await parsePromptCommand('guard:plain', '---\nother: x\n---\n\nJust do it.\n'),
    ];
    expect(expandCommand(prompt, commands)).toBe(expected);
  });

  it.each([
    ['description: Looks at it', 'Looks at it'],
    ['description: "Looks: at it"', 'Looks: at it'],
    ['description: >\n  Looks\n  at it', 'Looks at it'],
    ['description: [1', ''],
    ['description: 7', ''],
    ['- a list', ''],
  ])('under %j is described as %j', async (frontmatter, description) => {
    expect(await parsePromptCommand('guard:review', `---\n${frontmatter}\n---\nReview.\n`)).toEqual({
      name: 'guard:review',
      description,
      text: 'Review.',
    });
  });
});

describe('installing', () => {
  it('copies a folder, keeps it when its source is gone, and lists it', async () => {
    const source = await makePlugin();
    await write('plugin/node_modules/x/index.js', '');
    const installed = await install('./plugin');
    expect(installed).toMatchObject({ kind: 'installed', plugin: { name: 'guard' }, warnings: [] });
    await rm(source, { recursive: true });
    const { plugins } = await store.list();
    expect(plugins).toEqual([
      {
        name: 'guard',
        version: '1.0.0',
        source: './plugin',
        root: expect.stringMatching(/guard\/1\.0\.0-[0-9a-f]{8}$/),
      },
    ]);
    const [plugin] = plugins;
    expect(lstatSync(join(plugin!.root, 'guard.sh')).mode & 0o111).toBe(0o111);
    expect(existsSync(join(plugin!.root, 'node_modules'))).toBe(false);
  });

  it('puts one version in force and leaves the one that a session uses in place', async () => {
    await makePlugin();
    await install('./plugin');
    const old = (await store.list()).plugins[0]!;
    const letGo = await store.hold(old);
    await makePlugin('plugin', '2.0.0');
    expect(await install('./plugin')).toMatchObject({
      kind: 'installed',
      before: '1.0.0',
      plugin: { version: '2.0.0' },
    });
    expect((await store.list()).plugins.map(({ version }) => version)).toEqual(['2.0.0']);
    expect(existsSync(old.root)).toBe(true);
    expect(await store.remove('guard')).toBe(true);
    await store.sweep();
    expect((await stored()).filter((name) => /^guard\/[^/]+$/.test(name))).toEqual([
      old.root.slice(store.folder.length + 1),
    ]);
    await letGo();
    await store.sweep();
    expect((await stored()).filter((name) => name.startsWith('guard/'))).toEqual([]);
    expect(await store.remove('guard')).toBe(false);
  });

  it('clones a git repository, at the commit that was named, and runs none of its hooks', async () => {
    const folder = await makePlugin();
    const git = (...args: readonly string[]) =>
      execFileSync(
        'git',
        ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args],
        { env: environment() },
      );
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '-m', 'one');
    git('tag', 'v1');
    await write('plugin/plugin.json', { name: 'guard', version: '2.0.0' });
    git('commit', '--quiet', '-am', 'two');
    for (const name of ['post-checkout', 'post-merge'])
      await chmod(await write(`plugin/.git/hooks/${name}`, `#!/bin/sh\ntouch "${root}/ran"\n`), 0o755);
    expect(await install(`file://${folder}`)).toMatchObject({
      kind: 'installed',
      plugin: { version: '2.0.0' },
    });
    expect(await install(`file://${folder}#v1`)).toMatchObject({
      kind: 'installed',
      before: '2.0.0',
      plugin: { version: '1.0.0' },
    });
    expect((await stored()).filter((name) => name.includes('.git/'))).toEqual([]);
    expect(existsSync(join(root, 'ran'))).toBe(false);
    expect(await install(`file://${folder}#gone`)).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('has no gone that could be checked out'),
    });
    expect(await install(`file://${root}/nothing`)).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('could not be cloned'),
    });
  });

  it('takes a package from a registry and runs none of its scripts', async () => {
    const folder = await makePlugin('package');
    const ran = join(root, 'ran');
    await write('package/package.json', {
      name: 'guard-plugin',
      version: '1.0.0',
      scripts: {
        preinstall: `touch ${ran}`,
        prepare: `touch ${ran}`,
        prepack: `touch ${ran}`,
        postpack: `touch ${ran}`,
      },
    });
    execFileSync('tar', ['-czf', join(root, 'package.tgz'), '-C', dirname(folder), 'package']);
    const archive = await readFile(join(root, 'package.tgz'));
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    const registry: Server = createServer((request, response) => {
      const host = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
      if (request.url?.endsWith('.tgz')) return response.end(archive);
      if (request.url !== '/guard-plugin') return response.writeHead(404).end('{}');
      const version = {
        name: 'guard-plugin',
        version: '1.0.0',
        dist: { tarball: `${host}/guard-plugin.tgz`, integrity },
      };
      return response.end(
        JSON.stringify({
          name: 'guard-plugin',
          'dist-tags': { latest: '1.0.0' },
          versions: { '1.0.0': version },
        }),
      );
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    try {
      const npm = {
        npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
        npm_config_fetch_retries: '0',
      };
      expect(await install('guard-plugin', npm)).toMatchObject({
        kind: 'installed',
        plugin: { name: 'guard' },
      });
      expect(await install('npm:no-such-plugin', npm)).toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('the package no-such-plugin could not be fetched'),
      });
    } finally {
      await new Promise((resolve) => registry.close(resolve));
    }
    expect(existsSync(ran)).toBe(false);
  }, 60_000);

  it.each([
    ['./gone', 'gone does not exist'],
    ['not a name', 'is neither a path (./plugin), a git address (https://…) nor the name of a package'],
    ['--upload-pack=x', 'is neither a path'],
    ['https://example.invalid/a.git#--orphan', 'cannot be the name of a branch, tag or commit'],
  ])('refuses %j with a reason and leaves nothing', async (source, message) => {
    expect(await install(source)).toEqual({ kind: 'refused', message: expect.stringContaining(message) });
    expect(await stored()).toEqual([]);
  });

  it('keeps the version there is when a new one is no plugin', async () => {
    await makePlugin();
    await install('./plugin');
    const before = await stored();
    await write('plugin/plugin.json', { name: 'guard' });
    expect(await install('./plugin')).toMatchObject({
      kind: 'refused',
      message: 'plugin.json needs a "version" such as "1.2.0"',
    });
    expect(await stored()).toEqual(before);
  });

  it('does not believe a damaged list', async () => {
    await mkdir(store.folder, { recursive: true });
    await writeFile(
      join(store.folder, 'installed.json'),
      JSON.stringify({ plugins: [{ name: 'guard', version: '1', folder: 'guard/../../../x', source: '' }] }),
    );
    expect(await store.list()).toEqual({ plugins: [], problem: expect.stringContaining('is damaged') });
    await makePlugin();
    expect(await install('./plugin')).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('is damaged'),
    });
  });
});

describe('a hostile folder', () => {
  it.each([
    ['a link that leads out', '../../outside'],
    ['a link to an absolute path', '/etc/passwd'],
    ['a link that leads out and back in', '../plugin/../../outside'],
  ])('with %s is refused', async (_, target) => {
    const folder = await makePlugin();
    await symlink(target, join(folder, 'commands/link.md'));
    expect(await install('./plugin')).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('is a link that leads out of the plugin'),
    });
    expect(await stored()).toEqual([]);
  });

  it('keeps links that stay inside', async () => {
    const folder = await makePlugin();
    await symlink('review.md', join(folder, 'commands/again.md'));
    expect(await install('./plugin')).toMatchObject({
      plugin: { commands: [{ name: 'guard:again' }, { name: 'guard:review' }] },
    });
  });

  it('with a fifo, too many or too large files is refused', async () => {
    const folder = await makePlugin();
    await expect(copyTree(folder, join(root, 'a'), { files: 3, bytes: 1e6 })).rejects.toThrow(
      'holds more than 3 files',
    );
    await expect(copyTree(folder, join(root, 'b'), { files: 100, bytes: 10 })).rejects.toThrow(
      'is larger than 0 MiB',
    );
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(copyTree(folder, join(root, 'c'))).rejects.toThrow('is neither a file nor a folder');
  });
});

/** One entry of a tar archive, written by hand so that it can be what no tool would write. */
function entry(name: string, content = '', type = '0', link = ''): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(link, 157, 100);
  header.write('ustar\0', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
  body.write(content);
  return Buffer.concat([header, body]);
}

describe('an archive', () => {
  async function unpack(...entries: readonly Buffer[]): Promise<readonly string[]> {
    await writeFile(join(root, 'a.tgz'), gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)])));
    await rm(join(root, 'to'), { recursive: true, force: true });
    await mkdir(join(root, 'to'));
    await untar(join(root, 'a.tgz'), join(root, 'to'));
    return (await readdir(join(root, 'to'), { recursive: true })).sort();
  }

  it('is unpacked with its folders, long names and programs', async () => {
    const long = `${'deep/'.repeat(40)}file`;
    const pax = `path=${long}\n`;
    const record = `${pax.length + 4} ${pax}`;
    expect(
      await unpack(
        entry('package/', '', '5'),
        entry('package/a', 'x'.repeat(600)),
        entry('pax', record, 'x'),
        entry('short', 'y'),
      ),
    ).toEqual(expect.arrayContaining(['package/a', long]));
    expect(await readFile(join(root, 'to/package/a'), 'utf8')).toBe('x'.repeat(600));
  });

  it.each([
    ['a name that leads up', entry('package/../../up', 'x'), 'which leads out of it'],
    ['a name from the root', entry('/etc/passwd', 'x'), 'which leads out of it'],
    [
      'a long name that leads up',
      Buffer.concat([entry('pax', '20 path=../../up.md\n', 'x'), entry('a', 'x')]),
      'which leads out of it',
    ],
    ['a link', entry('package/link', '', '2', '../../up'), 'holds a link'],
    ['a hard link', entry('package/link', '', '1', '/etc/passwd'), 'holds a link'],
    ['a device', entry('package/null', '', '3'), 'which is neither a file nor a folder'],
    ['a file twice', Buffer.concat([entry('a', '1'), entry('a', '2')]), 'EEXIST'],
    ['a file in place of a folder', Buffer.concat([entry('a', '1'), entry('a/b', '2')]), 'EEXIST'],
    ['a damaged header', Buffer.alloc(512, 7), 'is damaged'],
  ])('with %s is refused', async (_, content, message) => {
    await expect(unpack(content)).rejects.toThrow(message);
    expect(existsSync(join(root, 'up'))).toBe(false);
  });

  it('that ends too soon or unpacks to too much is refused', async () => {
    await writeFile(join(root, 'cut.tgz'), gzipSync(entry('a', 'x'.repeat(2_000)).subarray(0, 1024)));
    await mkdir(join(root, 'to'));
    await expect(untar(join(root, 'cut.tgz'), join(root, 'to'))).rejects.toThrow(
      'ends in the middle of a file',
    );
    await writeFile(join(root, 'big.tgz'), gzipSync(entry('b', 'x'.repeat(2_000))));
    await expect(untar(join(root, 'big.tgz'), join(root, 'to'), { files: 10, bytes: 1_000 })).rejects.toThrow(
      'unpacks to more than 0 MiB',
    );
  });
});

it.each([
  ['./a', { kind: 'path', path: '/w/a' }],
  ['~/a', { kind: 'path', path: '/h/a' }],
  ['https://example.com/a.git', { kind: 'git', url: 'https://example.com/a.git' }],
  ['git@example.com:a/b.git#v1', { kind: 'git', url: 'git@example.com:a/b.git', ref: 'v1' }],
  ['@scope/name@^1.2.0', { kind: 'npm', spec: '@scope/name@^1.2.0' }],
  ['npm:name', { kind: 'npm', spec: 'name' }],
])('understands %j', (text, source) => {
  expect(parseSource(text, '/w', '/h')).toEqual({ ok: true, source });
});

describe('the plugins that settings turn on', () => {
  async function enabled(agreed = true) {
    const loaded = await loadSettings({ projectRoot: join(root, 'project'), home });
    const { plugins, notices } = await loadEnabledPlugins({ loaded, agreed: () => agreed, store, home });
    return { plugins: plugins.map(({ name, fromRepository }) => [name, fromRepository]), notices };
  }
  const settings = (where: 'home' | 'project', plugins: object) =>
    write(`${where}/.codey/settings.json`, { plugins });

  beforeEach(async () => {
    await mkdir(join(root, 'project'));
    await makePlugin();
    await install('./plugin');
  });

  it('are those that are on, not those that are merely installed [koder.scope.plugin-disabled]', async () => {
    expect(await enabled()).toEqual({ plugins: [], notices: [] });
    await settings('home', { guard: true });
    expect(await enabled()).toEqual({ plugins: [['guard', false]], notices: [] });
    await settings('project', { guard: false });
    expect(await enabled()).toEqual({ plugins: [], notices: [] });
    expect(await enabled(false)).toEqual({ plugins: [['guard', false]], notices: [] });
  });

  it('may lie in the repository, and then wait for the review like its own hooks [contract.repo.loosening-reviewed]', async () => {
    await makePlugin('project/tools/guard');
    await settings('project', { guard: { path: 'tools/guard' } });
    expect(await enabled()).toEqual({ plugins: [['guard', true]], notices: [] });
    expect(await enabled(false)).toEqual({ plugins: [], notices: [] });
  });

  it('are named where they cannot be had', async () => {
    await makePlugin('elsewhere');
    await settings('project', { guard: { path: '../elsewhere' }, missing: true, 'Bad Name': true, odd: 7 });
    expect(await enabled()).toEqual({
      plugins: [],
      notices: [
        'the plugin Bad Name (settings.json) is left out: no plugin can be called like this',
        'the plugin guard (settings.json) is left out: ../elsewhere lies outside the project',
        'the plugin missing (settings.json) is left out: it is not installed; codey plugin install gets it',
        'the plugin odd (settings.json) is left out: its value must be true, false or {"path": "…"}',
      ],
    });
  });

  it('must be called what they call themselves', async () => {
    await settings('home', { other: { path: join(root, 'plugin') } });
    expect((await enabled()).notices).toEqual([
      `the plugin other is left out: ${join(root, 'plugin')} calls itself guard`,
    ]);
  });
});
