import {
  appendFileSync,
  existsSync,
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
import { countUnread, openInbox, readMail, sendMail } from './mailbox.ts';
import { openTeam, type Team } from './team.ts';
import { isTeamName } from './team-files.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'team-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What another process would have: nothing but the files in common. */
const open = (session = 'one', name = 'checkout'): Promise<Team> =>
  openTeam({ teamsFolder: root, name, session, pid: process.pid, date: () => new Date() });
const mail = (text: string) => ({ from: 'main', to: 'tester', text });
const texts = (mails: readonly { text: string }[]) => mails.map(({ text }) => text);

/** As a kill leaves it: the seat names a process that is gone. */
function killHolder(team: Team, member: string): void {
  const path = join(team.folder, `members/${member}.lock`);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(`"pid":${process.pid}`, `"pid":${2 ** 22 - 1}`));
}

async function addTask(team: Team): Promise<string> {
  const id = await team.tasks.reserve();
  await team.tasks.change({ kind: 'create', id, subject: `task ${id}`, description: '', after: [] });
  return id;
}

describe('mail', () => {
  it('waits until a session has taken it, in the order it came, and is given again until then', async () => {
    const path = join(root, 'box.jsonl');
    const inbox = openInbox(path, 'one');
    expect(await inbox.unread()).toEqual([]);
    for (const text of ['one', 'two\nlines', 'drei €']) await sendMail(path, mail(text), new Date(0));
    const first = await inbox.unread();
    expect(texts(first)).toEqual(['one', 'two\nlines', 'drei €']);
    expect(texts(await openInbox(path, 'one').unread())).toEqual(texts(first));
    await inbox.markTaken(first.slice(0, 2));
    expect(texts(await inbox.unread())).toEqual(['drei €']);
    expect(texts(await openInbox(path, 'one').unread())).toEqual(['drei €']);
    expect(await readMail(path)).toHaveLength(3);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('comes again in another session until the one that took it has worked on it', async () => {
    const path = join(root, 'box.jsonl');
    const inbox = openInbox(path, 'one');
    for (const text of ['worked on', 'given back', 'taken']) {
      await sendMail(path, mail(text), new Date());
      await inbox.markTaken(await inbox.unread());
      if (text === 'worked on') await inbox.markRead();
      if (text === 'given back') await inbox.giveBack();
    }
    expect(texts(await openInbox(path, 'two').unread())).toEqual(['given back', 'taken']);
    expect(await countUnread(path, false)).toBe(2);
    // Both are in the conversation of a reader that lives.
    expect(await countUnread(path, true)).toBe(0);
    await inbox.giveBack();
    expect(texts(await inbox.unread())).toEqual(['given back', 'taken']);
  });

  it('outlives lines that a killed writer cut, and lines of somebody else', async () => {
    const path = join(root, 'box.jsonl');
    await sendMail(path, mail('one'), new Date());
    appendFileSync(path, '{"kind":"mail","id":"x","from":"ma');
    const inbox = openInbox(path, 'one');
    expect(texts(await inbox.unread())).toEqual(['one']);
    await sendMail(path, mail('two'), new Date());
    appendFileSync(path, 'not json\n{"kind":"mail"}\n[]\n');
    expect(texts(await inbox.unread())).toEqual(['one', 'two']);
  });

  it('of many senders at once is all there', async () => {
    const path = join(root, 'box.jsonl');
    await Promise.all(Array.from({ length: 100 }, (_, at) => sendMail(path, mail(`${at}`), new Date())));
    expect(new Set(texts(await openInbox(path, 'one').unread())).size).toBe(100);
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
        ids.map((id) => tasks.change({ kind: 'claim', id, by: `member-${side}`, session: 'one' })),
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
    const there = await open('two');
    const seat = await here.enter('tester');
    expect(await there.enter('tester')).toBeUndefined();
    const id = await addTask(here);
    await here.tasks.change({ kind: 'claim', id, by: 'tester', session: 'one' });
    expect(await there.releaseOrphans()).toEqual([]);
    await seat?.leave();
    expect(await there.releaseOrphans()).toEqual([id]);
    expect((await here.tasks.read()).list.get(id)).toMatchObject({ status: 'pending', owner: null });
    expect(await there.enter('tester')).toBeDefined();
  });

  it('takes the place of a member whose process died, not of one on another machine', async () => {
    const team = await open();
    await team.enter('tester');
    const lock = join(team.folder, 'members/tester.lock');
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(/"host":"[^"]*"/, '"host":"elsewhere"'));
    killHolder(team, 'tester');
    expect(await team.enter('tester')).toBeUndefined();
    await team.enter('other');
    killHolder(team, 'other');
    expect(await team.isAlive('other')).toBe(false);
    expect(await team.enter('other')).toBeDefined();
  });

  it('gives each lead a name of its own, the one it had where that is free', async () => {
    const team = await open();
    const seats = await Promise.all(
      ['one', 'two', 'three'].map(async (session) => (await open(session)).lead()),
    );
    expect(seats.map(({ name }) => name).sort()).toEqual(['main', 'main-2', 'main-3']);
    await seats.find(({ name }) => name === 'main-2')?.leave();
    expect((await team.lead()).name).toBe('main-2');
    expect((await team.lead('main-5')).name).toBe('main-5');
    expect((await team.lead('main')).name).toBe('main-4');
  });

  it('frees what a killed lead had claimed, for whoever looks and for who takes its name', async () => {
    const first = await open();
    await first.lead();
    const kept = await addTask(first);
    const other = await addTask(first);
    for (const id of [kept, other])
      await first.tasks.change({ kind: 'claim', id, by: 'main', session: 'one' });
    const second = await open('two');
    expect((await second.lead()).name).toBe('main-2');
    expect(await second.releaseOrphans()).toEqual([]);
    expect(await second.tasks.change({ kind: 'complete', id: kept, by: 'main-2' })).toMatchObject({
      kind: 'refused',
    });
    killHolder(first, 'main');
    // The session itself may go on where it was killed.
    const resumed = await (await open()).lead();
    expect(resumed.name).toBe('main');
    expect(await second.releaseOrphans()).toEqual([]);
    killHolder(first, 'main');
    expect((await (await open('three')).lead()).name).toBe('main');
    const { list } = await second.tasks.read();
    expect([...list.values()].map(({ status }) => status)).toEqual(['pending', 'pending']);
  });

  it('knows all its mail and is removed when nobody else lives in it', async () => {
    const team = await open();
    const lead = await team.lead();
    await team.send({ from: 'main', to: 'tester', text: 'one' });
    await team.send({ from: 'tester', to: 'main', text: 'two' });
    expect(texts(await team.history())).toEqual(['one', 'two']);
    expect(await team.members()).toEqual(['main', 'tester']);
    const seat = await team.enter('tester');
    const other = await (await open('two')).lead();
    expect(await team.remove(lead.name)).toEqual(['main-2', 'tester']);
    await seat?.leave();
    await other.leave();
    expect(await team.remove(lead.name)).toEqual([]);
    expect(existsSync(team.folder)).toBe(false);
  });

  it('is made anew by whoever comes while it is removed', async () => {
    const team = await open();
    const late = await open('two');
    await team.remove('main');
    const lead = await late.lead();
    expect(lead.name).toBe('main');
    expect(await late.isAlive('main')).toBe(true);
  });

  it('has a name that is safe as a folder', () => {
    for (const good of ['a', 'checkout-2', 'x'.repeat(40)]) expect(isTeamName(good)).toBe(true);
    for (const bad of ['', '..', 'a/b', 'A', '2x', '.x', 'x'.repeat(41), 'a b'])
      expect(isTeamName(bad)).toBe(false);
  });
});
