// Members of a team are killed while they write mail and tasks; what was promised stays, and the others go on.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openInbox } from '../src/teams/mailbox.ts';
import { openTeam, type Team } from '../src/teams/team.ts';
import { buildProgram } from './fixtures/build-program.ts';

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'team-killed-')));
  program = await buildProgram('team-writer', folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const rounds = 50;
const members = ['one', 'two'] as const;

it('loses nothing that was promised, at a hundred random points, two at a time', {
  timeout: 600_000,
}, async () => {
  const team = await openTeam({
    teamsFolder: folder,
    name: 'killed',
    session: 'session of the test',
    pid: process.pid,
    date: () => new Date(),
  });
  const promised: Promised = {
    sent: new Set(),
    created: new Set(),
    claimed: new Map(),
    completed: new Map(),
    taken: new Set(),
    read: new Set(),
  };
  for (let round = 0; round < rounds; round++) {
    for (const member of members) await team.send({ from: 'main', to: member, text: `round ${round}` });
    await Promise.all(members.map((member) => workUntilKilled(member, promised)));
    await checkPromises(team, promised);
  }
  // Nothing they held keeps the others from working: all there is can be taken and completed.
  await team.releaseOrphans();
  const open = [...(await team.tasks.read()).list.values()].filter(({ status }) => status !== 'completed');
  for (const { id } of open) {
    const change = { id, by: 'main', session: 'session of the test' };
    expect(await team.tasks.change({ kind: 'claim', ...change })).toMatchObject({ kind: 'changed' });
    expect(await team.tasks.change({ kind: 'complete', ...change })).toMatchObject({ kind: 'changed' });
  }
  // A place is free as soon as its process is gone, and one lost line is told of at most once for each kill.
  for (const member of members) expect(await team.enter(member)).toBeDefined();
  expect((await team.takeLost()).length).toBeLessThanOrEqual(2 * rounds);
  expect(await team.takeLost()).toEqual([]);
  expect(promised.sent.size).toBeGreaterThanOrEqual(2 * rounds);
  expect(promised.completed.size).toBeGreaterThan(0);
});

interface Promised {
  readonly sent: Set<string>;
  readonly created: Set<string>;
  /** By task, who was told that it is theirs. */
  readonly claimed: Map<string, string[]>;
  readonly completed: Map<string, string[]>;
  readonly taken: Set<string>;
  readonly read: Set<string>;
}

/** Kills it at some moment after its first promise. */
async function workUntilKilled(member: string, promised: Promised): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [program, folder, member], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout } = child;
  if (stdout === null) throw new Error('the child has no output');
  let said = '';
  stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await once(stdout, 'data');
  await sleep(Math.random() * 80);
  child.kill('SIGKILL');
  await once(child, 'close');
  for (const line of said.split('\n').slice(0, -1)) {
    const [what = '', id = ''] = line.split(' ');
    if (what === 'claimed' || what === 'completed')
      promised[what].set(id, [...(promised[what].get(id) ?? []), member]);
    else promised[what as 'sent' | 'created' | 'taken' | 'read'].add(id);
  }
}

async function checkPromises(team: Team, promised: Promised): Promise<void> {
  const there = new Set((await team.history()).map(({ id }) => id));
  expect([...promised.sent].filter((id) => !there.has(id))).toEqual([]);
  const { list } = await team.tasks.read();
  expect([...promised.created].filter((id) => !list.has(id))).toEqual([]);
  for (const [id, by] of promised.completed) {
    expect([id, list.get(id)?.status, by]).toEqual([id, 'completed', [list.get(id)?.owner]]);
  }
  for (const [id, by] of promised.claimed) expect([id, by]).toEqual([id, [list.get(id)?.owner]]);
  for (const member of members) {
    const path = join(team.folder, 'mail', `${member}.jsonl`);
    const same = ids(await openInbox(path, `session of ${member}`).unread());
    expect(same.filter((id) => promised.taken.has(id))).toEqual([]);
    // Whoever comes instead gets what was taken and not read, and all that was never taken.
    const next = ids(await openInbox(path, 'another session').unread());
    expect(next.filter((id) => promised.read.has(id))).toEqual([]);
    expect(same.filter((id) => !next.includes(id))).toEqual([]);
  }
}

function ids(mails: readonly { readonly id: string }[]): readonly string[] {
  return mails.map(({ id }) => id);
}
