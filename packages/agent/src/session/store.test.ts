import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSessionId, isSessionId } from './id.ts';
import { resumeSession } from './resume.ts';
import type { Session } from './session.ts';
import { openSessionStore, type SessionStore } from './store.ts';

let folder: string;
let home: string;
let root: string;
let clock: number;
let notices: string[];
let store: SessionStore;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'store-')));
  home = join(folder, 'home');
  root = join(folder, 'project');
  await mkdir(home);
  await mkdir(root);
  clock = Date.UTC(2026, 0, 1);
  notices = [];
  store = openStore(home);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function openStore(where: string | undefined): SessionStore {
  return openSessionStore({
    ...(where === undefined ? {} : { home: where }),
    projectRoot: root,
    pid: process.pid,
    now: () => {
      clock += 1000;
      return clock;
    },
    onNotice: (text) => notices.push(text),
  });
}

const say = (session: Session, text: string) =>
  session.append({ kind: 'prompt', agent: 'main', text, from: { kind: 'user' } });

async function make(text?: string): Promise<string> {
  const session = await store.create(root);
  if (text !== undefined) say(session, text);
  await session.close('exit');
  return session.id;
}

async function opened(id: string): Promise<Session> {
  const result = await store.open(id);
  if (result.kind !== 'opened') throw new Error(result.message);
  return result.session;
}

describe('a session', () => {
  it('is kept in the folder of its user, where nobody else can read it', async () => {
    const session = await store.create(root);
    say(session, 'hello');
    await session.flush();
    const own = join(projectFolder(home, root), 'sessions', session.id);
    expect(session.transcript).toBe(join(own, 'log.jsonl'));
    expect((await stat(own)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(own)) expect((await stat(join(own, name))).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, '.codey'))).mode & 0o777).toBe(0o700);
    expect(await readFile(join(own, 'log.jsonl'), 'utf8')).toContain('"text":"hello"');
    await session.close('exit');
    expect((await readdir(own)).sort()).toEqual(['ledger.jsonl', 'log.jsonl']);
    expect(notices).toEqual([]);
  });

  it('opens again with all it had', async () => {
    const id = await make('hello');
    const session = await opened(id);
    expect(session.state()).toMatchObject({ id, projectRoot: root, firstPrompt: 'hello', closed: 'exit' });
    say(session, 'more');
    expect(session.state().messages.get('main')).toHaveLength(2);
    await session.close('exit');
  });

  it('is refused to a second opener, who is told who has it and what to do', async () => {
    const session = await store.create(root);
    const second = await openStore(home).open(session.id);
    expect(second).toMatchObject({ kind: 'held' });
    if (second.kind === 'held') {
      expect(second.message).toContain(`process id ${process.pid}`);
      expect(second.message).toContain('--fork-session');
    }
    await session.close('exit');
    await (await opened(session.id)).close('exit');
  });

  it('is copied while it is open, with its conversation, variables and spent hooks', async () => {
    const session = await store.create(root);
    say(session, 'hello');
    session.append({ kind: 'once', identity: 'abc' });
    session.append({ kind: 'env', values: { A: '1' }, from: { kind: 'host' } });
    await session.flush();
    await appendFile(session.transcript ?? '', '{"n":5,"time":"t","ki');
    const copy = await store.fork(session.id);
    if (copy.kind !== 'opened') throw new Error(copy.message);
    expect(copy.session.id).not.toBe(session.id);
    const { id, forkedFrom, once, env, messages } = copy.session.state();
    expect({ id, forkedFrom }).toEqual({ id: copy.session.id, forkedFrom: session.id });
    expect([once, env, messages]).toEqual([
      session.state().once,
      session.state().env,
      session.state().messages,
    ]);
    expect(say(copy.session, 'in the copy').n).toBe(5);
    expect(session.state().messages.get('main')).toHaveLength(1);
    await copy.session.close('exit');
    await session.close('exit');
    expect(notices).toEqual([]);
  });

  it('without a home directory is kept in memory, and that is said', async () => {
    store = openStore(undefined);
    const session = await store.create(root);
    say(session, 'hello');
    expect(session.state().firstPrompt).toBe('hello');
    expect(session.transcript).toBeUndefined();
    expect(await session.outputs.save('Stop:1', { stdout: 'x', stderr: '' })).toBeUndefined();
    await session.close('exit');
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('Set HOME to keep it.');
    expect([await store.list(), await store.latest(), (await store.find('2')).kind]).toEqual([
      [],
      undefined,
      'missing',
    ]);
  });

  it('whose folder cannot be made is kept in memory, and that is said', async () => {
    await writeFile(join(home, '.codey'), '');
    const session = await store.create(root);
    expect(session.transcript).toBeUndefined();
    await session.close('exit');
    expect(notices).toHaveLength(1);
  });

  it('of a newer codey is left untouched', async () => {
    const id = await make('hello');
    const path = join(store.folder ?? '', id, 'log.jsonl');
    const text = `${(await readFile(path, 'utf8')).replace('"format":1', '"format":2')}{"torn`;
    await writeFile(path, text);
    const result = await store.open(id);
    expect(result).toMatchObject({ kind: 'unreadable' });
    if (result.kind === 'unreadable') expect(result.message).toContain('Update codey');
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('whose log cannot be read is refused, untouched, and not left locked', async () => {
    const id = await make('hello');
    const path = join(store.folder ?? '', id, 'log.jsonl');
    const target = join(folder, 'target');
    await rename(path, target);
    await symlink(target, path);
    for (let i = 0; i < 2; i++) {
      expect(await store.open(id)).toEqual({
        kind: 'unreadable',
        message: `Session ${id} cannot be opened: a symbolic link stands in its place.`,
      });
    }
    expect(await readdir(join(store.folder ?? '', id))).toEqual(['ledger.jsonl', 'log.jsonl']);
  });

  it('that lost its first line is refused and left as it is', async () => {
    const id = await make('hello');
    await writeFile(join(store.folder ?? '', id, 'log.jsonl'), 'garbage\n');
    expect((await store.open(id)).kind).toBe('unreadable');
  });
});

describe('finding', () => {
  it('takes an id or a beginning that only one has', async () => {
    const one = await make('one');
    const two = await make('two');
    expect(await store.find(one)).toEqual({ kind: 'found', id: one });
    expect(await store.find(two.slice(0, 16))).toEqual({ kind: 'found', id: two });
    const many = await store.find('2026');
    expect(many.kind).toBe('ambiguous');
    if (many.kind === 'ambiguous') expect(many.message).toContain(two);
  });

  it.each(['', '..', '../..', '/', '.', 'x'])('takes %j for no session', async (text) => {
    await make('one');
    expect((await store.find(text)).kind).toBe('missing');
    expect((await store.open(text)).kind).toBe('missing');
    expect((await store.fork(text)).kind).toBe('missing');
  });
});

describe('a list', () => {
  it('shows the newest first, with what tells them apart', async () => {
    const one = await make('first line\nsecond');
    const live = await store.create(join(root, 'sub'));
    live.append({ kind: 'name', name: 'named' });
    say(live, `\u001b[31m${'long '.repeat(100)}`);
    await live.flush();
    const list = await store.list();
    expect(list.map(({ id, live: open, name }) => [id, open, name])).toEqual([
      [live.id, true, 'named'],
      [one, false, undefined],
    ]);
    expect(list[0]?.firstPrompt).toMatch(/^ \[31mlong .*…$/);
    expect(list[0]?.firstPrompt).toHaveLength(100);
    expect(list[0]?.cwd).toBe(join(root, 'sub'));
    expect(list[1]?.firstPrompt).toBe('first line');
    await live.close('exit');
  });

  it('reads a prompt and a name however long the conversation around them is', async () => {
    const session = await store.create(root);
    session.append({
      kind: 'context',
      agent: 'main',
      text: 'x'.repeat(300_000),
      from: { kind: 'host' },
      source: 'AGENTS.md',
    });
    say(session, `the question "\\ ${'y'.repeat(200_000)}`);
    session.append({ kind: 'name', name: 'in the middle' });
    for (let i = 0; i < 100; i++) say(session, 'z'.repeat(2000));
    await session.close('exit');
    expect(await store.list()).toMatchObject([
      { name: 'in the middle', firstPrompt: expect.stringMatching(/^the question "\\ y+…$/) },
    ]);
  });

  it('takes for the latest the one that moved last, not the one that was closed last', async () => {
    const old = await store.create(root);
    say(old, 'old');
    await old.flush();
    const recent = await make('recent');
    await make();
    await old.close('exit');
    expect(await store.latest()).toBe(recent);
  });

  it('leaves out what is no session', async () => {
    await make('one');
    await mkdir(join(store.folder ?? '', 'not-a-session'));
    await mkdir(join(store.folder ?? '', createSessionId(0)));
    expect(await store.list()).toHaveLength(1);
  });
});

describe('resuming', () => {
  const resume = (wanted: Parameters<typeof resumeSession>[0]['wanted'], fork = false) =>
    resumeSession({ store, wanted, fork, projectRoot: root });

  it('gives back what was in force, and where it was [codey.herdr.session-id-resumes]', async () => {
    const sub = join(root, 'sub');
    await mkdir(sub);
    const session = await store.create(root);
    say(session, 'hello');
    session.append({ kind: 'cwd', cwd: sub });
    session.append({ kind: 'once', identity: 'abc' });
    session.append({ kind: 'env', values: { A: '1' }, from: { kind: 'host' } });
    session.append({ kind: 'run', agent: 'main', state: 'start' });
    await session.close('exit');

    const resumed = await resume({ kind: 'id', id: session.id });
    if (resumed.kind !== 'resumed') throw new Error(resumed.message);
    expect(resumed.replay).toEqual({
      messages: new Map([['main', [{ role: 'user', text: 'hello' }]]]),
      env: new Map([['A', '1']]),
      once: new Set(['abc']),
      cwd: sub,
      interrupted: ['main'],
    });
    await resumed.session.close('exit');

    await rm(sub, { recursive: true });
    const copy = await resume({ kind: 'latest' }, true);
    if (copy.kind !== 'resumed') throw new Error(copy.message);
    expect(copy.session.state().forkedFrom).toBe(session.id);
    expect(copy.replay).toMatchObject({ cwd: root, lostCwd: sub });
    await copy.session.close('exit');
  });

  it('refuses with what to do', async () => {
    expect(await resume({ kind: 'latest' })).toMatchObject({ kind: 'refused', copyable: false });
    expect(await resume({ kind: 'id', id: 'nothing' })).toMatchObject({
      kind: 'refused',
      message: 'This project has no session "nothing". `codey sessions` lists those it has.',
    });
    const session = await store.create(root);
    expect(await resume({ kind: 'id', id: session.id })).toMatchObject({ kind: 'refused', copyable: true });
    await session.close('exit');
  });
});

describe('an id', () => {
  it('sorts by time, differs each time and is safe as a name', () => {
    const ids = [0, 1, 999, 1000, 86_400_000, Date.UTC(2026, 0, 31)].map(createSessionId);
    expect([...ids].sort()).toEqual(ids);
    expect(ids.every(isSessionId)).toBe(true);
    expect(new Set(Array.from({ length: 1000 }, () => createSessionId(0))).size).toBe(1000);
    expect(['', '..', 'a/b', `${ids[0]}/`].some(isSessionId)).toBe(false);
  });
});
