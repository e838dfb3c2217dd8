import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { localDisk } from './file-system.ts';
import { loadSettings } from './load.ts';
import { formatProblem } from './problem.ts';
import type { LoadedSettings } from './settings.ts';

let top: string;
let home: string;
let projectRoot: string;

beforeEach(async () => {
  top = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'codey-load-')));
  home = path.join(top, 'home');
  projectRoot = path.join(top, 'project');
  for (const root of [home, projectRoot]) {
    for (const name of ['.codey', '.koder']) await fs.mkdir(path.join(root, name), { recursive: true });
  }
});

afterEach(async () => {
  await fs.rm(top, { recursive: true, force: true });
});

async function write(file: string, text: string | Uint8Array): Promise<string> {
  const full = path.join(top, file);
  await fs.mkdir(path.dirname(full), { recursive: true });
  await fs.writeFile(full, text);
  return full;
}

/** A file whose only command says where it stands. */
function marked(name: string): string {
  return JSON.stringify({ hooks: { run_end: [name] } });
}

function commands(loaded: LoadedSettings): readonly (readonly [string, string])[] {
  return loaded.files.flatMap(({ scope, lifecycle }) =>
    lifecycle.map(({ command }) => [scope, command] as const),
  );
}

function problems(loaded: LoadedSettings): readonly string[] {
  return loaded.files
    .flatMap((file) => file.problems.map(formatProblem))
    .map((line) => line.replaceAll(top, ''));
}

const everywhere = [
  ['etc/managed-settings.json', 'managed'],
  ['home/.codey/managed-settings.json', 'managed'],
  ['home/.koder/managed-settings.json', 'managed'],
  ['ci.json', 'settings'],
  ['home/.codey/settings.json', 'user'],
  ['home/.koder/settings.json', 'user'],
  ['project/.codey/settings.json', 'project'],
  ['project/.koder/settings.json', 'project'],
  ['project/.codey/settings.local.json', 'local'],
  ['project/.koder/settings.local.json', 'local'],
] as const;

it('files come in scope order, .codey before .koder [contract.scope.order] [koder.scope.managed-highest]', async () => {
  for (const [file] of [...everywhere].reverse()) await write(file, marked(file));
  const loaded = await loadSettings({
    projectRoot,
    home,
    systemManagedFile: path.join(top, 'etc/managed-settings.json'),
    settingsFile: path.join(top, 'ci.json'),
  });
  expect(commands(loaded)).toEqual(everywhere.map(([file, scope]) => [scope, file]));
  expect(loaded.files.map(({ lifecycle }) => lifecycle[0]?.source.fromRepository)).toEqual(
    everywhere.map(([, scope]) => scope === 'project' || scope === 'local'),
  );
  expect(loaded.projectRoot).toBe(projectRoot);
});

it('only files that exist are loaded, and without a home none of a user', async () => {
  await write('home/.codey/settings.json', marked('user'));
  await write('project/.koder/settings.json', marked('project'));
  expect(commands(await loadSettings({ projectRoot, home }))).toEqual([
    ['user', 'user'],
    ['project', 'project'],
  ]);
  expect(commands(await loadSettings({ projectRoot }))).toEqual([['project', 'project']]);
});

it('a project that is the home reads its file once, as the user’s [contract.scope.real-path-once]', async () => {
  await write('home/.koder/settings.json', marked('mine'));
  expect(commands(await loadSettings({ projectRoot: home, home }))).toEqual([['user', 'mine']]);
});

it('a link to a file of another scope counts once, in the more trusted one [contract.scope.real-path-once]', async () => {
  const mine = await write('home/.codey/settings.json', marked('mine'));
  await fs.symlink(mine, path.join(projectRoot, '.codey/settings.json'));
  await fs.symlink(mine, path.join(home, '.koder/settings.json'));
  expect(commands(await loadSettings({ projectRoot, home }))).toEqual([['user', 'mine']]);
});

it('a linked directory counts once [contract.scope.real-path-once]', async () => {
  await write('project/.codey/settings.json', marked('ours'));
  await fs.rmdir(path.join(projectRoot, '.koder'));
  await fs.symlink('.codey', path.join(projectRoot, '.koder'));
  expect(commands(await loadSettings({ projectRoot, home }))).toEqual([['project', 'ours']]);
});

it('the --settings file wins over the scope its path would have [contract.scope.real-path-once]', async () => {
  const file = await write('project/.codey/settings.json', marked('ours'));
  expect(commands(await loadSettings({ projectRoot, home, settingsFile: file }))).toEqual([
    ['settings', 'ours'],
  ]);
});

it('a linked settings file is read where it leads', async () => {
  const file = await write('dotfiles/codey.json', marked('linked'));
  await fs.symlink(file, path.join(home, '.codey/settings.json'));
  expect(commands(await loadSettings({ projectRoot, home }))).toEqual([['user', 'linked']]);
});

it('one loading lists every problem of every file [contract.load.all-problems-located]', async () => {
  await write('home/.codey/settings.json', '{"hooks": {"Nope": []},\n "theme": 5}');
  await write('home/.koder/settings.json', 'x');
  await write('project/.codey/settings.json', '{"hooks": {"run_end": "x"}}');
  expect(problems(await loadSettings({ projectRoot, home }))).toEqual([
    '/home/.codey/settings.json:1:12  unknown event "Nope"  (`codey hooks schema` lists the events)',
    '/home/.codey/settings.json:2:11  "theme" must be a non-empty string, not a number  (put it in double quotes)',
    '/home/.koder/settings.json:1:1  this is not JSON  (text stands in double quotes; everything else is a number, true, false or null)',
    '/project/.codey/settings.json:1:23  run_end takes a list of shell commands, not a string  (write ["x"])',
  ]);
});

it('a --settings file that is not there is a problem', async () => {
  const loaded = await loadSettings({ projectRoot, home, settingsFile: path.join(top, 'gone.json') });
  expect(problems(loaded)).toEqual([
    '/gone.json:1:1  this file does not exist  (check the name, and where a link leads)',
  ]);
});

it('a link to nothing is a problem: somebody meant settings to be read', async () => {
  await fs.symlink('gone.json', path.join(home, '.codey/managed-settings.json'));
  expect(problems(await loadSettings({ projectRoot, home }))).toEqual([
    '/home/.codey/managed-settings.json:1:1  this file does not exist  (check the name, and where a link leads)',
  ]);
});

it('links in a circle, directories and pipes are problems and hang nothing', async () => {
  await fs.symlink('settings.json', path.join(home, '.codey/settings.json'));
  await fs.mkdir(path.join(projectRoot, '.codey/settings.json'));
  execFileSync('mkfifo', [path.join(projectRoot, '.koder/settings.json')]);
  expect(problems(await loadSettings({ projectRoot, home }))).toEqual([
    '/home/.codey/settings.json:1:1  this link leads in a circle',
    '/project/.codey/settings.json:1:1  this is a directory where a settings file was expected',
    '/project/.koder/settings.json:1:1  this is not a regular file, so it is not read',
  ]);
});

it('a file that may not be read is a problem beside those of the others', async () => {
  const locked = await write('home/.codey/settings.json', marked('mine'));
  await write('project/.codey/settings.json', '{"model": ""}');
  const readFile: typeof localDisk.readFile = ((file: string) =>
    file === locked
      ? Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }))
      : fs.readFile(file)) as typeof localDisk.readFile;
  expect(problems(await loadSettings({ projectRoot, home, fs: { ...localDisk, readFile } }))).toEqual([
    '/home/.codey/settings.json:1:1  this file may not be read  (give yourself permission to read it)',
    '/project/.codey/settings.json:1:11  "model" is empty',
  ]);
});

it('a file where the settings directory should be holds no settings', async () => {
  await fs.rmdir(path.join(projectRoot, '.codey'));
  await write('project/.codey', 'something else');
  expect((await loadSettings({ projectRoot, home })).files).toEqual([]);
});

it('a byte order mark is accepted and shifts no column', async () => {
  await write('home/.codey/settings.json', `\ufeff${marked('mine')}`);
  await write('home/.koder/settings.json', '\ufeff{"model": ""}');
  const loaded = await loadSettings({ projectRoot, home });
  expect(commands(loaded)).toEqual([['user', 'mine']]);
  expect(problems(loaded)).toEqual(['/home/.koder/settings.json:1:11  "model" is empty']);
});

it('bytes that are not UTF-8 are shown with their place', async () => {
  await write('home/.codey/settings.json', Buffer.from('{\n  "theme": "caf\xe9"\n}', 'latin1'));
  await write('home/.koder/settings.json', Buffer.from('\ufeff{}', 'utf16le'));
  expect(problems(await loadSettings({ projectRoot, home }))).toEqual([
    '/home/.codey/settings.json:2:16  this is not UTF-8 text  (save it as UTF-8)',
    '/home/.koder/settings.json:1:1  this is not UTF-8 text  (it looks like UTF-16; save it as UTF-8)',
  ]);
});

it('an empty file is fine', async () => {
  await write('home/.codey/settings.json', '');
  expect(problems(await loadSettings({ projectRoot, home }))).toEqual([]);
});

it('only a system file that root owns and nobody else may write is locked [contract.off.no-hooks-root-owned]', async () => {
  const system = await write('etc/managed-settings.json', marked('system'));
  await write('home/.codey/managed-settings.json', marked('mine'));
  const load = async (mode: number, uid: number): Promise<readonly boolean[]> => {
    const stat = (async (file: string) => {
      const facts = await fs.stat(file);
      return Object.assign(facts, { uid, mode: (facts.mode & ~0o777) | mode });
    }) as typeof localDisk.stat;
    const options = { projectRoot, home, systemManagedFile: system, fs: { ...localDisk, stat } };
    return (await loadSettings(options)).files.map(({ locked }) => locked);
  };
  expect(await load(0o644, 0)).toEqual([true, false]);
  expect(await load(0o664, 0)).toEqual([false, false]);
  expect(await load(0o646, 0)).toEqual([false, false]);
  expect(await load(0o644, 1000)).toEqual([false, false]);
});

it('ten thousand hooks are ten thousand hooks, each with its own line', async () => {
  const groups = Array.from({ length: 10_000 }, (_, index) => {
    return `{"matcher": "tool_${index}", "hooks": [{"type": "command", "command": "hook ${index}"}]}`;
  });
  await write('home/.codey/settings.json', `{"hooks": {"PreToolUse": [\n${groups.join(',\n')}]}}`);
  const [file] = (await loadSettings({ projectRoot, home })).files;
  expect(file?.hooks).toHaveLength(10_000);
  expect(file?.hooks.every(({ source }, index) => source.line === index + 2)).toBe(true);
  expect(new Set(file?.hooks.map(({ id }) => id)).size).toBeGreaterThan(9_990);
});
