// A mailbox and a task list cut off at every byte: the next who opens the team goes on, and says what was lost.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openInbox, readMail, sendMail } from './mailbox.ts';
import { foldTasks, type Task } from './task.ts';
import { openTeam, type Team } from './team.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'torn-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (name: string): Promise<Team> =>
  openTeam({ teamsFolder: root, name, session: 'next', pid: process.pid, date: () => new Date(0) });

interface Cut {
  readonly team: Team;
  readonly path: string;
  /** The lines that are whole, with or without their newline. */
  readonly whole: readonly Readonly<Record<string, string>>[];
  /** The line that is cut; empty where the cut is between two. */
  readonly fragment: string;
}

/** The same file in a team of its own, for each place at which a kill may have cut it. */
async function* cuts(bytes: Buffer, file: string): AsyncGenerator<Cut> {
  for (let at = 0; at <= bytes.length; at++) {
    const team = await open(`cut-${at}`);
    const path = join(team.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    const left = bytes.subarray(0, at);
    writeFileSync(path, left);
    const lines = left.toString('utf8').split('\n');
    const last = lines.pop() ?? '';
    const isWhole = last !== '' && bytes[at] === 0x0a;
    yield {
      team,
      path,
      whole: [...lines, ...(isWhole ? [last] : [])].map((line) => JSON.parse(line)),
      fragment: isWhole ? '' : last,
    };
    rmSync(team.folder, { recursive: true });
  }
}

/** One sentence where a line was cut, none else, and never twice. */
async function lostOf({ team, fragment }: Cut): Promise<string | undefined> {
  const lost = await team.takeLost();
  expect(lost).toHaveLength(fragment === '' ? 0 : 1);
  expect(await team.takeLost()).toEqual([]);
  return lost[0];
}

it('a mailbox loses at most the message that was being written, and gives again what was not read for sure', {
  timeout: 120_000,
}, async () => {
  const path = join(root, 'real.jsonl');
  const inbox = openInbox(path, 'before');
  for (const text of ['one', 'zwei → 2', 'three\nlines', '{"kind":"mail"}']) {
    await sendMail(path, { from: 'main', to: 'tester', text }, new Date(0));
    await inbox.markTaken(await inbox.unread());
    if (text === 'one') await inbox.markRead();
    if (text.startsWith('zwei')) await inbox.giveBack();
  }
  const kinds = new Set<string>();
  for await (const cut of cuts(readFileSync(path), 'mail/tester.jsonl')) {
    const lost = await lostOf(cut);
    if (lost !== undefined) kinds.add(lost);
    const sent = cut.whole.filter(({ kind }) => kind === 'mail').map(({ id }) => id);
    expect((await readMail(cut.path)).map(({ id }) => id)).toEqual(sent);
    const read = cut.whole.filter(({ kind }) => kind === 'read').map(({ id }) => id);
    const next = openInbox(cut.path, 'next');
    expect((await next.unread()).map(({ id }) => id)).toEqual(sent.filter((id) => !read.includes(id)));
    const late = await cut.team.send({ from: 'main', to: 'tester', text: 'later' });
    await next.markTaken(await next.unread());
    await next.markRead();
    expect((await readMail(cut.path)).at(-1)).toEqual(late);
    expect(await openInbox(cut.path, 'third').unread()).toEqual([]);
  }
  expect([...kinds].map((sentence) => sentence.replace(/\d+ bytes at \d+/, '…'))).toEqual(
    expect.arrayContaining([
      'a line of the mail of tester cannot be read (…) and is left out',
      'a message from main to tester was cut off while it was written and is lost; its sender was not told that it was sent',
      'a note that tester had read a message was cut off while it was written; the message comes again',
    ]),
  );
});

it('a task list loses at most the change that was being written, and is changed on from there', {
  timeout: 120_000,
}, async () => {
  const real = await open('real');
  for (const subject of ['one', 'zwei → 2']) {
    const id = await real.tasks.reserve();
    await real.tasks.change({ kind: 'create', id, subject, description: 'a\nb', after: [] });
  }
  await real.tasks.change({ kind: 'order', id: '2', after: ['1'] });
  await real.tasks.change({ kind: 'claim', id: '1', by: 'tester', session: 'before' });
  await real.tasks.change({ kind: 'release', id: '1', by: 'tester' });
  await real.tasks.change({ kind: 'claim', id: '1', by: 'tester', session: 'before' });
  await real.tasks.change({ kind: 'complete', id: '1', by: 'tester' });
  const said = new Set<string>();
  for await (const cut of cuts(readFileSync(join(real.folder, 'tasks.jsonl')), 'tasks.jsonl')) {
    const lost = await lostOf(cut);
    if (lost !== undefined) said.add(lost);
    const { tasks } = cut.team;
    const expected = foldTasks(cut.whole);
    const list = (await tasks.read()).list;
    expect([...list.values()]).toEqual([...expected.list.values()]);
    await cut.team.releaseOrphans();
    const id = await tasks.reserve();
    expect(Number(id)).toBe(expected.lastId + 1);
    await tasks.change({ kind: 'create', id, subject: 'later', description: '', after: [] });
    await finish(cut.team, [...(await tasks.read()).list.values()]);
  }
  expect([...said].map((sentence) => sentence.replace(/\d+ bytes at \d+/, '…'))).toEqual(
    expect.arrayContaining([
      'a line of the task list cannot be read (…) and is left out',
      'task 2 was cut off while it was created and is not there',
      'a change of task 1 (claimed) was cut off while it was written and did not happen',
      'a change of task 1 (completed) was cut off while it was written and did not happen',
    ]),
  );
});

/** Every task can be taken and completed: none hangs on what was lost. */
async function finish({ tasks }: Team, list: readonly Task[]): Promise<void> {
  for (const { status } of list) {
    if (status === 'completed') continue;
    const claimed = await tasks.change({ kind: 'claim', by: 'next', session: 'next' });
    if (claimed.kind === 'refused') throw new Error(claimed.reason);
    expect(await tasks.change({ kind: 'complete', id: claimed.task.id, by: 'next' })).toMatchObject({
      kind: 'changed',
    });
  }
}
