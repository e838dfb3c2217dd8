import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localDisk } from './file-system.ts';
import { type WriteOptions, writeSetting } from './edit.ts';

let top: string;
let home: string;
let projectRoot: string;

beforeEach(async () => {
  top = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'codey-write-')));
  home = path.join(top, 'home');
  projectRoot = path.join(top, 'project');
  await fs.mkdir(home);
  await fs.mkdir(projectRoot);
});

afterEach(async () => {
  await fs.rm(top, { recursive: true, force: true });
});

async function put(file: string, text: string, mode = 0o644): Promise<string> {
  const full = path.join(top, file);
  await fs.mkdir(path.dirname(full), { recursive: true });
  await fs.writeFile(full, text);
  await fs.chmod(full, mode);
  return full;
}

async function read(file: string): Promise<string> {
  return fs.readFile(path.join(top, file), 'utf8');
}

async function modeOf(file: string): Promise<number> {
  return (await fs.stat(path.join(top, file))).mode & 0o777;
}

function write(options: Pick<WriteOptions, 'scope' | 'path' | 'value'> & Partial<WriteOptions>) {
  return writeSetting({ projectRoot, home, ...options });
}

describe('the file that is written', () => {
  const model = { path: ['model'], value: 'a/b' } as const;

  it('is the one that has the key', async () => {
    await put('home/.codey/settings.json', '{"theme": "dark"}');
    await put('home/.koder/settings.json', '{"model": "old"}');
    await write({ scope: 'user', ...model });
    expect(await read('home/.koder/settings.json')).toBe('{"model": "a/b"}');
    expect(await read('home/.codey/settings.json')).toBe('{"theme": "dark"}');
  });

  it('else lies in the directory that exists', async () => {
    await fs.mkdir(path.join(projectRoot, '.koder'));
    await write({ scope: 'project', ...model });
    expect(await read('project/.koder/settings.json')).toBe('{\n  "model": "a/b"\n}\n');
  });

  it('else lies in .codey', async () => {
    for (const scope of ['user', 'project'] as const) await write({ scope, ...model });
    expect(await read('home/.codey/settings.json')).toBe('{\n  "model": "a/b"\n}\n');
    expect(await read('project/.codey/settings.json')).toBe('{\n  "model": "a/b"\n}\n');
  });

  it('is the .codey one where both have the key', async () => {
    await put('home/.codey/settings.json', '{"model": "x"}');
    await put('home/.koder/settings.json', '{"model": "y"}');
    expect(await write({ scope: 'user', ...model })).toEqual({
      kind: 'written',
      file: path.join(home, '.codey/settings.json'),
      before: '{"model": "x"}',
      mode: 0o644,
      after: '{"model": "a/b"}',
    });
  });

  it('needs a home to be a user’s', async () => {
    await expect(writeSetting({ projectRoot, scope: 'user', ...model })).rejects.toThrow(TypeError);
  });
});

it('comments, unknown keys, mode and link stay as they were [contract.write.only-asked-keys]', async () => {
  const target = await put(
    'dotfiles/codey.json',
    '// mine\n{\n  "brief": 1, // ?\n  "model": "old"\n}\n',
    0o640,
  );
  await fs.mkdir(path.join(home, '.codey'));
  await fs.symlink(target, path.join(home, '.codey/settings.json'));
  await write({ scope: 'user', path: ['model'], value: 'a/b' });
  expect(await read('dotfiles/codey.json')).toBe('// mine\n{\n  "brief": 1, // ?\n  "model": "a/b"\n}\n');
  expect(await modeOf('dotfiles/codey.json')).toBe(0o640);
  expect((await fs.lstat(path.join(home, '.codey/settings.json'))).isSymbolicLink()).toBe(true);
  expect(await fs.readdir(path.join(top, 'dotfiles'))).toEqual(['codey.json']);
});

it('a new file of the user is nobody else’s to read', async () => {
  await write({ scope: 'user', path: ['env', 'TOKEN'], value: 'x' });
  await write({ scope: 'local', path: ['env', 'TOKEN'], value: 'x' });
  expect(await modeOf('home/.codey/settings.json')).toBe(0o600);
  expect(await modeOf('project/.codey/settings.local.json')).toBe(0o600);
});

it('a value that is there already writes nothing', async () => {
  const file = await put('home/.codey/settings.json', '{"model":"a/b"}');
  const before = await fs.stat(file);
  expect(await write({ scope: 'user', path: ['model'], value: 'a/b' })).toEqual({ kind: 'unchanged', file });
  expect((await fs.stat(file)).ino).toBe(before.ino);
});

it('a directory or file of a project that leads out of it is not written', async () => {
  await put('home/.codey/settings.json', '{}');
  await fs.symlink(path.join(home, '.codey'), path.join(projectRoot, '.codey'));
  const file = path.join(projectRoot, '.codey/settings.json');
  expect(await write({ scope: 'project', path: ['model'], value: 'a/b' })).toEqual({
    kind: 'refused',
    file,
    message: `${file} leads out of the project, so it is not written`,
  });
  expect((await write({ scope: 'local', path: ['model'], value: 'a/b' })).kind).toBe('refused');
  expect(await fs.readdir(path.join(home, '.codey'))).toEqual(['settings.json']);
  expect(await read('home/.codey/settings.json')).toBe('{}');
});

it('a link to nothing is not written through', async () => {
  await fs.mkdir(path.join(projectRoot, '.codey'));
  const file = path.join(projectRoot, '.codey/settings.json');
  await fs.symlink(path.join(top, 'elsewhere.json'), file);
  expect((await write({ scope: 'project', path: ['model'], value: 'a/b' })).kind).toBe('refused');
  await expect(fs.lstat(path.join(top, 'elsewhere.json'))).rejects.toThrow('ENOENT');
});

it('a broken file is left to its owner, with the place that is wrong', async () => {
  const file = await put('home/.codey/settings.json', '{\n  "model": \n}');
  expect(await write({ scope: 'user', path: ['model'], value: 'a/b' })).toEqual({
    kind: 'refused',
    file,
    message: `${file}: line 3, column 1: a value was expected here; correct it first`,
  });
  expect(await read('home/.codey/settings.json')).toBe('{\n  "model": \n}');
});

it('a file that changes meanwhile stays as somebody else made it', async () => {
  const file = await put('home/.codey/settings.json', '{"model": "x"}');
  const open = (async (...given: Parameters<typeof fs.open>) => {
    await fs.writeFile(file, '{"model": "theirs"}');
    return fs.open(...given);
  }) as typeof localDisk.open;
  expect(await write({ scope: 'user', path: ['model'], value: 'a/b', fs: { ...localDisk, open } })).toEqual({
    kind: 'refused',
    file,
    message: `${file} was changed by somebody else meanwhile; try again`,
  });
  expect(await read('home/.codey/settings.json')).toBe('{"model": "theirs"}');
  expect(await fs.readdir(path.join(home, '.codey'))).toEqual(['settings.json']);
});

it('a disk that fails half-way leaves the old file and nothing beside it', async () => {
  const file = await put('home/.codey/settings.json', '{"model": "x"}');
  const rename = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOSPC' }));
  expect(await write({ scope: 'user', path: ['model'], value: 'a/b', fs: { ...localDisk, rename } })).toEqual(
    {
      kind: 'refused',
      file,
      message: `${file} cannot be written: ENOSPC`,
    },
  );
  expect(await read('home/.codey/settings.json')).toBe('{"model": "x"}');
  expect(await fs.readdir(path.join(home, '.codey'))).toEqual(['settings.json']);
});

describe('git ignores a settings.local.json that was written [koder.scope.local-gitignored]', () => {
  const setting = { scope: 'local', path: ['model'], value: 'a/b' } as const;

  /** Only what the project says counts, not what the machine's git is told to ignore. */
  const env = { ...process.env, GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_NOSYSTEM: '1' };

  function ignoredByGit(file: string): boolean {
    return spawnSync('git', ['check-ignore', '-q', file], { cwd: projectRoot, env }).status === 0;
  }

  beforeEach(() => {
    execFileSync('git', ['init', '-q', '--template='], { cwd: projectRoot, env });
  });

  it.each(['.codey', '.koder'])('in a new or bare %s', async (directory) => {
    await fs.mkdir(path.join(projectRoot, directory));
    expect(await write(setting)).toMatchObject({ kind: 'written', ignored: true });
    expect(ignoredByGit(`${directory}/settings.local.json`)).toBe(true);
    expect(ignoredByGit(`${directory}/settings.json`)).toBe(false);
  });

  it('beside a .gitignore that says something else', async () => {
    await put('project/.codey/.gitignore', '# ours\nworktrees/', 0o600);
    expect(await write(setting)).toMatchObject({ ignored: true });
    expect(await read('project/.codey/.gitignore')).toBe('# ours\nworktrees/\nsettings.local.json\n');
    expect(await modeOf('project/.codey/.gitignore')).toBe(0o600);
    expect(ignoredByGit('.codey/settings.local.json')).toBe(true);
  });

  it('whatever a later line takes back', async () => {
    await put('project/.codey/.gitignore', '*\n!settings.local.json\n');
    expect(await write(setting)).toMatchObject({ ignored: true });
    expect(ignoredByGit('.codey/settings.local.json')).toBe(true);
  });

  it('without a second line for one that names it already', async () => {
    await put('project/.codey/.gitignore', '/settings.local.json\n');
    expect(await write(setting)).toMatchObject({ ignored: true });
    expect(await read('project/.codey/.gitignore')).toBe('/settings.local.json\n');
  });

  it('but a .gitignore that is a link stays as it is, and the writer is told', async () => {
    const target = await put('elsewhere', 'x\n');
    await fs.mkdir(path.join(projectRoot, '.codey'));
    await fs.symlink(target, path.join(projectRoot, '.codey/.gitignore'));
    expect(await write(setting)).toMatchObject({ kind: 'written', ignored: false });
    expect(await read('elsewhere')).toBe('x\n');
  });
});
