import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openInbox, readMail, sendMail } from './mailbox.ts';
import { openTeam, type Team } from './team.ts';
import { isTeamName } from './team-files.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'team-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What another process would have: nothing but the files in common. */
const open = (name = 'checkout'): Promise<Team> =>
  openTeam({ teamsFolder: root, name, pid: process.pid, date: () => new Date() });
const mail = (text: string) => ({ from: 'main', to: 'tester', text });
const texts = (mails: readonly { text: string }[]) => mails.map(({ text }) => text);

describe('mail', () => {
  it('waits until it is marked as read, in the order it came, and is given again until then', async () => {
    const path = join(root, 'box.jsonl');
    const inbox = openInbox(path);
    expect(await inbox.unread()).toEqual([]);
    for (const text of ['one', 'two\nlines', 'drei €']) await sendMail(path, mail(text), new Date(0));
    const first = await inbox.unread();
    expect(texts(first)).toEqual(['one', 'two\nlines', 'drei €']);
    expect(texts(await openInbox(path).unread())).toEqual(texts(first));
    await inbox.markRead(first.slice(0, 2));
    expect(texts(await inbox.unread())).toEqual(['drei €']);
    expect(texts(await openInbox(path).unread())).toEqual(['drei €']);
    expect(await readMail(path)).toHaveLength(3);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('that another process read is not given here any more', async () => {
    const path = join(root, 'box.jsonl');
    const here = openInbox(path);
    const there = openInbox(path);
    await sendMail(path, mail('one'), new Date());
    expect(await here.unread()).toHaveLength(1);
    await there.markRead(await there.unread());
    expect(await here.unread()).toEqual([]);
  });

  it('outlives lines that a killed writer cut, and lines of somebody else', async () => {
    const path = join(root, 'box.jsonl');
    await sendMail(path, mail('one'), new Date());
    appendFileSync(path, '{"kind":"mail","id":"x","from":"ma');
    const inbox = openInbox(path);
    expect(texts(await inbox.unread())).toEqual(['one']);
    await sendMail(path, mail('two'), new Date());
    appendFileSync(path, 'not json\n{"kind":"mail"}\n[]\n');
    expect(texts(await inbox.unread())).toEqual(['one', 'two']);
  });

  it('of many senders at once is all there', async () => {
    const path = join(root, 'box.jsonl');
    await Promise.all(Array.from({ length: 100 }, (_, at) => sendMail(path, mail(`${at}`), new Date())));
    expect(new Set(texts(await openInbox(path).unread())).size).toBe(100);
  });
});

describe('tasks', () => {
  it('are claimed and completed by one only, from however many sides', async () => {
    const sides = await Promise.all(Array.from({ length: 8 }, () => open()));
    const ids = await Promise.all(sides.map(({ tasks }) => tasks.reserve()));
    expect(new Set(ids).size).toBe(8);
    for (const id of ids) {
      await sides[0]?.tasks.change({ kind: 'create', id, subject: `task ${id}`, description: '', after: [] });
    }
    const claims = await Promise.all(
      sides.flatMap(({ tasks }, side) =>
        ids.map((id) => tasks.change({ kind: 'claim', id, by: `member-${side}` })),
      ),
    );
    expect(claims.filter(({ kind }) => kind === 'changed')).toHaveLength(8);
    const { list } = (await sides[3]?.tasks.read()) ?? { list: new Map() };
    const completions = await Promise.all(
      sides.flatMap(({ tasks }) =>
        [...list.values()].map(({ id, owner }) => tasks.change({ kind: 'complete', id, by: owner ?? '' })),
      ),
    );
    expect(completions.filter(({ kind }) => kind === 'changed')).toHaveLength(8);
  });

  it('say what would happen without doing it', async () => {
    const { tasks } = await open();
    const change = { kind: 'create', id: '1', subject: 'one', description: '', after: [] } as const;
    expect(await tasks.foresee(change)).toMatchObject({
      kind: 'changed',
      task: { id: '1', status: 'pending' },
    });
    expect((await tasks.read()).list.size).toBe(0);
  });
});

describe('a team', () => {
  it('lets a member live once, and gives its tasks back when it is gone', async () => {
    const here = await open();
    const there = await open();
    const leave = await here.enter('tester');
    expect(await there.enter('tester')).toBeUndefined();
    const id = await here.tasks.reserve();
    await here.tasks.change({ kind: 'create', id, subject: 'one', description: '', after: [] });
    await here.tasks.change({ kind: 'claim', id, by: 'tester' });
    expect(await there.releaseOrphans()).toEqual([]);
    await leave?.();
    expect(await there.releaseOrphans()).toEqual([id]);
    expect((await here.tasks.read()).list.get(id)).toMatchObject({ status: 'pending', owner: null });
    expect(await there.enter('tester')).toBeDefined();
  });

  it('takes the place of a member whose process died', async () => {
    const team = await open();
    const lock = join(team.folder, 'members/tester.lock');
    mkdirSync(join(lock, '..'), { recursive: true });
    const owner = { pid: 2 ** 22 - 1, startTime: 1, host: 'elsewhere', boot: '' };
    writeFileSync(lock, JSON.stringify(owner));
    expect(await team.enter('tester')).toBeUndefined();
    const mine = await team.enter('other');
    const text = readFileSync(join(team.folder, 'members/other.lock'), 'utf8');
    await mine?.();
    writeFileSync(lock, text.replace(`"pid":${process.pid}`, `"pid":${2 ** 22 - 1}`));
    expect(await team.isAlive('tester')).toBe(false);
    expect(await team.enter('tester')).toBeDefined();
  });

  it('knows all its mail and is removed when nobody lives in it', async () => {
    const team = await open();
    await team.send({ from: 'main', to: 'tester', text: 'one' });
    await team.send({ from: 'tester', to: 'main', text: 'two' });
    expect(texts(await team.history())).toEqual(['one', 'two']);
    expect(await team.members()).toEqual(['main', 'tester']);
    const leave = await team.enter('tester');
    expect(await team.remove()).toEqual(['tester']);
    await leave?.();
    expect(await team.remove()).toEqual([]);
    expect(existsSync(team.folder)).toBe(false);
  });

  it('has a name that is safe as a folder', () => {
    for (const good of ['a', 'checkout-2', 'x'.repeat(40)]) expect(isTeamName(good)).toBe(true);
    for (const bad of ['', '..', 'a/b', 'A', '2x', '.x', 'x'.repeat(41), 'a b'])
      expect(isTeamName(bad)).toBe(false);
  });
});
