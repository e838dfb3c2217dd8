// The code cache in the user's folder: what a program without one beside it keeps, takes again, and leaves alone.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const { cacheName } = require('../bin/load.js') as typeof import('../bin/load.js');
const { outdated } = require('../bin/keep-cache.js') as typeof import('../bin/keep-cache.js');

const isRoot = process.getuid?.() === 0;
/** Somebody else than whoever runs the tests. */
const stranger = 12_345;
const dayMs = 24 * 60 * 60 * 1000;

let folder: string;
let copy: string;
let home: string;
let project: string;
let kept: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'codey-own-cache-')));
  copy = path.join(folder, 'program');
  home = path.join(folder, 'home');
  project = path.join(folder, 'project');
  for (const made of [home, project, path.join(copy, 'dist')]) mkdirSync(made, { recursive: true });
  cpSync(path.join(program, 'bin'), path.join(copy, 'bin'), { recursive: true });
  for (const file of [
    'package.json',
    'dist/main.cjs',
    'dist/tree-sitter-bash.wasm',
    'dist/web-tree-sitter.wasm',
  ])
    cpSync(path.join(program, file), path.join(copy, file));
  symlinkSync(path.join(program, 'dist/chunks'), path.join(copy, 'dist/chunks'));
  kept = path.join(home, '.codey/cache', cacheName());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Environment = Readonly<Record<string, string | undefined>>;

function surroundings(environment: Environment = {}) {
  const { PATH, TEST_RUN } = process.env;
  return { cwd: project, env: { PATH, TEST_RUN, HOME: home, TMPDIR: folder, ...environment } };
}

function codey(args: readonly string[], environment?: Environment) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(copy, 'bin/codey.js'), ...args], {
    ...surroundings(environment),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** The arguments of a run that has the line run by a shell. */
function sessionArgs(line = 'echo hi'): readonly string[] {
  const script = path.join(folder, 'script.json');
  const calls = [{ tool: 'run_shell', input: { command: line } }];
  writeFileSync(script, JSON.stringify([{ calls }, { text: 'done' }]));
  return ['-p', 'x', '--model', `script:${script}`, '--permission-mode', 'bypassPermissions'];
}

const session = (environment?: Environment, line?: string) => codey(sessionArgs(line), environment);
const fine = { status: 0, stdout: 'done\n', stderr: '' };

const names = (): readonly string[] => (existsSync(kept) ? readdirSync(kept).sort() : []);
const largest = (): string => {
  const sizeOf = (name: string) => statSync(path.join(kept, name)).size;
  const [name] = names().toSorted((one, other) => sizeOf(other) - sizeOf(one));
  if (name === undefined) throw new Error('nothing is kept');
  return path.join(kept, name);
};

/** What a start makes of each chunk: taken out of a cache, refused by V8, or compiled since none was there or trusted. */
function starts(chunks: readonly string[], environment?: Environment): Readonly<Record<string, string>> {
  const script = `
    const { cachedCompiler } = require(${JSON.stringify(path.join(copy, 'bin/load.js'))});
    const compile = cachedCompiler(${JSON.stringify(path.join(copy, 'dist/cache'))});
    const state = (file) => ({ false: 'taken', true: 'refused' })[compile(file).cachedDataRejected] ?? 'compiled';
    const chunks = ${JSON.stringify(chunks)};
    const at = (name) => require('node:path').join(${JSON.stringify(path.join(copy, 'dist/chunks'))}, name);
    console.log(JSON.stringify(Object.fromEntries(chunks.map((name) => [name, state(at(name))]))));
    process.exitCode = 1; // Nothing is kept of it.`;
  const file = path.join(folder, 'starts.cjs');
  writeFileSync(file, script);
  const { stdout } = spawnSync(process.execPath, [file], { ...surroundings(environment), encoding: 'utf8' });
  return JSON.parse(stdout);
}

const all = (chunks: readonly string[], state: string) =>
  Object.fromEntries(chunks.map((name) => [name, state]));

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

describe('a program without a cache beside it', () => {
  it('keeps what it compiled, and takes it at the next start', () => {
    expect(session()).toStrictEqual(fine);
    const chunks = names();
    expect(chunks.length).toBeGreaterThan(3);
    expect(starts(chunks)).toStrictEqual(all(chunks, 'taken'));
    expect(modeOf(path.dirname(kept))).toBe('700');
    expect(modeOf(kept)).toBe('700');
    for (const name of chunks) expect(modeOf(path.join(kept, name))).toBe('600');
  });

  it('writes nothing when nothing was missing', () => {
    session();
    const facts = () => names().map((name) => statSync(path.join(kept, name)).ino);
    const before = facts();
    expect(session()).toStrictEqual(fine);
    expect(facts()).toStrictEqual(before);
  });

  it('keeps more of a chunk when another kind of run called more of it, never less', () => {
    expect(codey(['--help']).status).toBe(0);
    const [start = ''] = names().filter((name) => name.startsWith('start-'));
    const size = () => statSync(path.join(kept, start)).size;
    const afterHelp = size();
    session();
    const afterSession = size();
    expect(afterSession).toBeGreaterThan(afterHelp);
    expect(codey(['hooks', 'list']).status).toBe(0);
    expect(size()).toBeGreaterThanOrEqual(afterSession);
    expect(starts(names())).toStrictEqual(all(names(), 'taken'));
  });

  it('keeps what starts can use, although the shell grammar changes V8’s flags', () => {
    expect(session({}, 'echo "$(echo a | cat)" && echo b')).toStrictEqual(fine);
    expect(readdirSync(path.join(copy, 'dist/chunks')).some((name) => name.startsWith('web-tree'))).toBe(
      true,
    );
    expect(names().some((name) => name.startsWith('session-'))).toBe(true);
    expect(starts(names())).toStrictEqual(all(names(), 'taken'));
  });

  it('has a cache of its own for starts with options of Node', () => {
    session();
    const options = { NODE_OPTIONS: '--max-old-space-size=1000' };
    const chunks = names();
    expect(starts(chunks, options)).toStrictEqual(all(chunks, 'compiled'));
    expect(session(options)).toStrictEqual(fine);
    expect(starts(chunks, options)).toStrictEqual(all(chunks, 'taken'));
    expect(starts(chunks)).toStrictEqual(all(chunks, 'taken'));
  });

  it('keeps what was compiled by the end of the start, since V8 drops later what runs once', () => {
    const script = `
      let startIsOver, compiled = 'much';
      globalThis.setTimeout = (act) => ((startIsOver = act), { unref() {} });
      const cache = require(${JSON.stringify(path.join(copy, 'bin/own-cache.js'))}).findOwnCache(process.env);
      const loaded = [{ name: 'a.cjs', floor: 0, script: { createCachedData: () => Buffer.from(compiled) } }];
      require(${JSON.stringify(path.join(copy, 'bin/keep-cache.js'))}).keepAtEnd(cache, loaded);
      startIsOver();
      compiled = 'less';
      loaded.push({ ...loaded[0], name: 'late.cjs' });`;
    const file = path.join(folder, 'long-run.cjs');
    writeFileSync(file, script);
    expect(spawnSync(process.execPath, [file], surroundings()).status).toBe(0);
    expect(readFileSync(path.join(kept, 'a.cjs'), 'utf8')).toBe('much');
    expect(readFileSync(path.join(kept, 'late.cjs'), 'utf8')).toBe('less');
  });

  it('is whole when several end at once', async () => {
    const args = sessionArgs();
    const children = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [path.join(copy, 'bin/codey.js'), ...args], {
        ...surroundings(),
        stdio: 'ignore',
      }),
    );
    const ends = await Promise.all(children.map((child) => once(child, 'exit')));
    expect(ends).toStrictEqual([
      [0, null],
      [0, null],
      [0, null],
    ]);
    expect(names().every((name) => name.endsWith('.cjs'))).toBe(true);
    expect(starts(names())).toStrictEqual(all(names(), 'taken'));
  });
});

it('is what codey doctor says starts come from', () => {
  const starts = (environment?: Environment) =>
    JSON.parse(codey(['doctor', '--json'], environment).stdout).findings.find(
      ({ about }: { about: string }) => about === 'starts',
    );
  expect(starts({ NODE_DISABLE_COMPILE_CACHE: '1' })).toMatchObject({
    state: 'ok',
    what: expect.stringContaining('NODE_DISABLE_COMPILE_CACHE is set'),
  });
  expect(starts()).toMatchObject({ state: 'ok', what: `what runs compile will be kept in ${kept}` });
  // That one found problems, such as no model, and keeps nothing.
  expect(session()).toStrictEqual(fine);
  expect(starts()).toMatchObject({ state: 'ok', what: `compiled code is taken from ${kept}` });
  chmodSync(kept, 0o777);
  expect(starts()).toMatchObject({ state: 'warning', todo: `rm -r ${path.dirname(kept)}` });
});

describe('nothing is kept', () => {
  it('of a program that has a cache beside it', () => {
    session();
    renameSync(path.dirname(kept), path.join(copy, 'dist/cache'));
    expect(session()).toStrictEqual(fine);
    expect(existsSync(kept)).toBe(false);
  });

  it('of a run that failed', () => {
    expect(codey(['--no-such-flag']).status).toBe(2);
    expect(names()).toStrictEqual([]);
  });

  it('of a run that was killed, and the next one keeps it', async () => {
    const child = spawn(
      process.execPath,
      [path.join(copy, 'bin/codey.js'), ...sessionArgs('kill -9 $PPID')],
      {
        ...surroundings(),
        stdio: 'ignore',
      },
    );
    expect(await once(child, 'exit')).toStrictEqual([null, 'SIGKILL']);
    expect(names()).toStrictEqual([]);
    expect(session().status).toBe(0);
    expect(starts(names())).toStrictEqual(all(names(), 'taken'));
  });

  it('where NODE_DISABLE_COMPILE_CACHE is set, and nothing taken', () => {
    const off = { NODE_DISABLE_COMPILE_CACHE: '1' };
    expect(session(off)).toStrictEqual(fine);
    expect(names()).toStrictEqual([]);
    session();
    expect(starts(names(), off)).toStrictEqual(all(names(), 'compiled'));
  });

  it.each<readonly [string, string | undefined]>([
    ['is not set', undefined],
    ['is empty', ''],
    ['leads into the repository', 'home'],
  ])('where HOME %s', (_, value) => {
    mkdirSync(path.join(project, 'home'));
    expect(codey(['--help'], { HOME: value })).toMatchObject({ status: 0, stderr: '' });
    expect(names()).toStrictEqual([]);
    expect(readdirSync(project)).toStrictEqual(['home']);
    expect(readdirSync(path.join(project, 'home'))).toStrictEqual([]);
  });

  it('where HOME would be below a file', () => {
    writeFileSync(path.join(folder, 'file'), 'mine');
    expect(codey(['--help'], { HOME: path.join(folder, 'file/home') })).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(readFileSync(path.join(folder, 'file'), 'utf8')).toBe('mine');
  });

  it('where a file stands in the place of the folder', () => {
    mkdirSync(path.join(home, '.codey'));
    writeFileSync(path.join(home, '.codey/cache'), 'mine');
    expect(session()).toStrictEqual(fine);
    expect(readFileSync(path.join(home, '.codey/cache'), 'utf8')).toBe('mine');
  });

  it.skipIf(isRoot)('where the home may not be written (root may write all)', () => {
    chmodSync(home, 0o500);
    expect(codey(['--help'])).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(home)).toStrictEqual([]);
    chmodSync(home, 0o700);
  });

  it.skipIf(isRoot)(
    'where the folder may not be written, and what is there is taken (root may write all)',
    () => {
      codey(['--help']);
      const chunks = names();
      chmodSync(kept, 0o500);
      expect(session()).toStrictEqual(fine);
      expect(names()).toStrictEqual(chunks);
      expect(starts(chunks)).toStrictEqual(all(chunks, 'taken'));
      chmodSync(kept, 0o700);
    },
  );

  it.runIf(isRoot)('in the home of somebody else (only root can give it away)', () => {
    chownSync(home, stranger, stranger);
    expect(codey(['--help'])).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(home)).toStrictEqual([]);
    mkdirSync(path.join(home, '.codey'));
    chownSync(home, 0, 0);
    chownSync(path.join(home, '.codey'), stranger, stranger);
    expect(codey(['--help'])).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(path.join(home, '.codey'))).toStrictEqual([]);
  });
});

describe('what others could have put there is neither taken nor written over', () => {
  const untouched = () => {
    const chunks = names();
    const before = chunks.map((name) => readFileSync(path.join(kept, name)));
    expect(starts(chunks)).toStrictEqual(all(chunks, 'compiled'));
    expect(session()).toStrictEqual(fine);
    expect(chunks.map((name) => readFileSync(path.join(kept, name)))).toStrictEqual(before);
    expect(names()).toStrictEqual(chunks);
  };

  it.each([
    ['folder', () => kept],
    ['folder above it', () => path.dirname(kept)],
  ])('with a %s that a group may write', (_, place) => {
    codey(['--help']);
    chmodSync(place(), 0o770);
    untouched();
  });

  it.each([
    ['folder', () => kept],
    ['folder above it', () => path.dirname(kept)],
  ])('with a link for the %s', (_, place) => {
    codey(['--help']);
    const elsewhere = path.join(folder, 'elsewhere');
    renameSync(place(), elsewhere);
    symlinkSync(elsewhere, place());
    untouched();
  });

  it.runIf(isRoot)('in a folder of somebody else (only root can give it away)', () => {
    codey(['--help']);
    chownSync(kept, stranger, stranger);
    untouched();
  });
});

describe('a file', () => {
  it.each<readonly [string, (file: string) => void]>([
    ['that everybody may write', (file) => chmodSync(file, 0o666)],
    [
      'that is a link',
      (file) => {
        renameSync(file, path.join(folder, 'elsewhere'));
        symlinkSync(path.join(folder, 'elsewhere'), file);
      },
    ],
  ])('%s is not taken, and replaced', (_, change) => {
    session();
    const file = largest();
    change(file);
    expect(starts([path.basename(file)])).toStrictEqual(all([path.basename(file)], 'compiled'));
    expect(session()).toStrictEqual(fine);
    expect(modeOf(file)).toBe('600');
    expect(starts(names())).toStrictEqual(all(names(), 'taken'));
  });

  it.runIf(isRoot)('of somebody else is not taken, and replaced (only root can give it away)', () => {
    session();
    const file = largest();
    chownSync(file, stranger, stranger);
    expect(starts([path.basename(file)])).toStrictEqual(all([path.basename(file)], 'compiled'));
    expect(session()).toStrictEqual(fine);
    expect(statSync(file).uid).toBe(0);
  });

  it.each<readonly [string, (file: string) => void]>([
    ['cut in half', (file) => truncateSync(file, statSync(file).size >> 1)],
    ['empty', (file) => truncateSync(file)],
    ['of another program', (file) => writeFileSync(file, '#!/bin/sh\n')],
  ])('that is %s is no loss, and replaced once it is a day old', (_, damage) => {
    session();
    const file = largest();
    const name = path.basename(file);
    damage(file);
    const damaged = readFileSync(file);
    expect(session()).toStrictEqual(fine);
    expect(readFileSync(file)).toStrictEqual(damaged);
    const old = new Date(Date.now() - 2 * dayMs);
    utimesSync(file, old, old);
    expect(session()).toStrictEqual(fine);
    expect(starts([name])).toStrictEqual({ [name]: 'taken' });
  });
});

describe('a writer tidies up', () => {
  it('after one that was killed and versions that nobody starts, and leaves other files alone', () => {
    const old = new Date(Date.now() - 31 * dayMs);
    const put = (file: string, time: Date) => {
      const target = path.join(home, '.codey/cache', file);
      mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
      appendFileSync(target, 'x');
      utimesSync(target, time, time);
      return target;
    };
    const gone = [
      put(`${cacheName()}/session-AAAAAAAA.cjs.4711.tmp`, old),
      put(`${cacheName()}/session-AAAAAAAA.cjs`, old),
      put('18.0.0-linux-x64/session-AAAAAAAA.cjs', old),
    ];
    const left = [
      put(`${cacheName()}/session-BBBBBBBB.cjs.4712.tmp`, new Date()),
      put(`${cacheName()}/notes.txt`, old),
      put('mine/session-AAAAAAAA.cjs', old),
      put('22.0.0-linux-x64/session-AAAAAAAA.cjs', new Date()),
    ];
    expect(session()).toStrictEqual(fine);
    expect(gone.filter((file) => existsSync(file))).toStrictEqual([]);
    expect(left.filter((file) => !existsSync(file))).toStrictEqual([]);
    expect(existsSync(path.join(home, '.codey/cache/18.0.0-linux-x64'))).toBe(false);
  });

  it('until the rest has room', () => {
    const now = Date.now();
    const megabytes = 1024 * 1024;
    const entry = (name: string, age: number, size: number) => ({ path: name, mtimeMs: now - age, size });
    const entries = [
      entry('oldest', 3000, 30 * megabytes),
      entry('used', 4000, 60 * megabytes),
      entry('older', 2000, 30 * megabytes),
      entry('old', 1000, 30 * megabytes),
    ];
    expect(outdated(entries, new Set(['used']), now).map((one) => one.path)).toStrictEqual(['oldest']);
  });
});
