// Commands that save settings outside a session: the ConfigChange hooks in force are asked, and what they refuse is taken back.
import { chmodSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLines } from './play.ts';
import { group } from './settings.ts';
import { createStage, type Stage } from './stage.ts';
import { until } from './waiting.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
  stage.write('~/source/.codey-plugin/plugin.json', { name: 'guard', version: '1.0.0' });
  stage.write('~/.claude/settings.json', { hooks: { Stop: [group('true')] } });
  stage.write('.claude/settings.json', { hooks: { Stop: [group('true')] } });
});
afterEach(() => stage.remove());

const user = '~/.codey/settings.json';
const project = '.codey/settings.json';
const wiki = ['wiki', '--url', 'https://wiki.example'];
const asks = group('cat >> "$HOME/told"');
const refuses = group('echo "settings are frozen" >&2; exit 2');

const run = (...words: readonly string[]) => stage.codey(words);
const told = () => readLines(stage.has('~/told') ? stage.read('~/told') : '');
const pathOf = (file: string): string =>
  file.startsWith('~/') ? path.join(stage.home, file.slice(2)) : path.join(stage.project, file);
const installed = () => run('plugin', 'install', path.join(stage.home, 'source'));

/** What each command finds, does, and saves to. */
const saves: readonly {
  readonly words: readonly string[];
  readonly file: string;
  readonly before?: object;
  readonly source: string;
}[] = [
  { words: ['mcp', 'add', ...wiki], file: user, source: 'user_settings' },
  { words: ['mcp', 'add', ...wiki, '--scope', 'project'], file: project, source: 'project_settings' },
  {
    words: ['mcp', 'add', ...wiki, '--scope', 'local'],
    file: '.codey/settings.local.json',
    source: 'project_settings',
  },
  {
    words: ['mcp', 'remove', 'wiki'],
    file: user,
    before: { mcpServers: { wiki: { url: 'https://wiki.example' } } },
    source: 'user_settings',
  },
  { words: ['plugin', 'enable', 'guard'], file: user, source: 'user_settings' },
  { words: ['plugin', 'disable', 'guard'], file: user, source: 'user_settings' },
  {
    words: ['plugin', 'remove', 'guard'],
    file: user,
    before: { plugins: { guard: false } },
    source: 'user_settings',
  },
];

describe.each(saves)('codey $words', ({ words, file, before = {}, source }) => {
  it('tells the hooks which file it saved [koder.event.configchange-on-save] [koder.event.configchange-payload] [koder.event.configchange-match]', async () => {
    await installed();
    stage.write(user, {
      ...(file === user && before),
      hooks: { ConfigChange: [{ ...asks, matcher: source }, group('touch "$HOME/never"', 'nothing')] },
    });
    expect(await run(...words)).toMatchObject({ code: 0 });
    expect(told()).toMatchObject([{ event: 'ConfigChange', source, file_path: pathOf(file) }]);
    expect(stage.has('~/never')).toBe(false);
  });

  it('leaves the file as it was where a hook refuses, and says so [koder.event.configchange-block] [contract.event.configchange-effect]', async () => {
    await installed();
    const hooks = { hooks: { ConfigChange: [refuses] } };
    stage.write('~/.codey/managed-settings.json', hooks);
    const text = `// mine\n${JSON.stringify(before)}\n`;
    chmodSync(stage.write(file, text), 0o640);
    const refused = await run(...words);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/refused by a ConfigChange hook: settings are frozen; \S+ is as it was/);
    expect(stage.read(file)).toBe(text);
    expect(statSync(pathOf(file)).mode & 0o777).toBe(0o640);
    expect((await run('plugin', 'list')).stdout).toMatch(/^guard/);
  });
});

it('a signal while the hooks think ends them, and the file is as it was [contract.event.configchange-effect]', async () => {
  const text = JSON.stringify({ hooks: { ConfigChange: [group('touch "$HOME/asked"; exec sleep 600')] } });
  stage.write(user, text);
  const added = await stage.codey(['mcp', 'add', ...wiki], {
    onStart: async (child) => {
      await until(() => stage.has('~/asked'));
      child.kill('SIGINT');
    },
  });
  expect(added).toMatchObject({ code: 130, stdout: '' });
  expect(added.stderr).toContain('mcpServers.wiki was interrupted before the ConfigChange hooks had passed');
  expect(stage.read(user)).toBe(text);
});

describe('codey hooks import', () => {
  const importing = () => run('hooks', 'import', 'claude');
  const backups = (folder: string) => readdirSync(folder).filter((name) => name.includes('before-import'));

  it('tells the hooks of each file that it changed [koder.event.configchange-on-save]', async () => {
    stage.write(user, { hooks: { ConfigChange: [asks] } });
    expect(await importing()).toMatchObject({ code: 0, stderr: '' });
    expect(told().map(({ source, file_path }) => [source, file_path])).toEqual([
      ['user_settings', pathOf(user)],
      ['project_settings', pathOf(project)],
    ]);
  });

  it('takes back the file that a hook refuses, its backup with it, and keeps the others [koder.event.configchange-block]', async () => {
    stage.write(user, { hooks: { ConfigChange: [{ ...refuses, matcher: 'user' }] } });
    const text = stage.read(user);
    const done = await importing();
    expect(done.code).toBe(1);
    expect(done.stderr).toContain('the import was refused by a ConfigChange hook: settings are frozen');
    expect(stage.read(user)).toBe(text);
    expect(backups(path.join(stage.home, '.codey'))).toEqual([]);
    expect(stage.read(project)).toContain('Stop');
    expect(done.stdout).toContain('codey hooks trust');
  });

  it('asks none of the hooks that it brings', async () => {
    stage.write('~/.claude/settings.json', { hooks: { ConfigChange: [group('exit 2')] } });
    expect(await importing()).toMatchObject({ code: 0 });
    expect(stage.read(user)).toContain('ConfigChange');
  });
});

describe('the hooks that are asked', () => {
  it('of a repository are those the user agreed to [contract.trust.repo-hooks-held]', async () => {
    stage.write(project, { hooks: { ConfigChange: [refuses] } });
    const before = await run('mcp', 'add', ...wiki);
    expect(before.code).toBe(0);
    expect(before.stderr).toMatch(/held back until you agree: codey hooks trust/);
    expect((await run('hooks', 'trust', '--yes')).code).toBe(0);
    expect(await run('mcp', 'remove', 'wiki')).toMatchObject({ code: 1 });
    expect(stage.read(user)).toContain('wiki.example');
  });

  it('are those of enabled plugins as well', async () => {
    stage.write('~/source/hooks/hooks.json', { hooks: { ConfigChange: [refuses] } });
    await installed();
    expect(await run('plugin', 'enable', 'guard')).toMatchObject({ code: 0 });
    expect(await run('mcp', 'add', ...wiki)).toMatchObject({ code: 1 });
    expect(stage.read(user)).not.toContain('wiki');
  });

  it('begin no journal where there are none', async () => {
    stage.write(user, { hooks: { Setup: [asks] } });
    expect(await run('mcp', 'add', ...wiki)).toMatchObject({ code: 0, stderr: '' });
    expect(stage.has('.codey')).toBe(false);
  });
});
