// Stories of one team in several processes: who is called what, who may do what, and what a kill costs.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Returned } from '../src/subagents/roster.ts';
import type { Message } from '../src/model/model.ts';
import { buildProgram } from './fixtures/build-program.ts';
import { startTeamProcess, type TeamAnswer, type TeamProcess, type TeamSession } from './team-process.ts';

let folder: string;
let program: string;
let worlds = 0;
const running: TeamProcess[] = [];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'team-processes-')));
  program = await buildProgram('team-session', folder);
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.kill();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A home of its own, in which sessions are started. */
function createWorld() {
  worlds += 1;
  const home = join(folder, `home-${worlds}`);
  return async (scripts: TeamSession['scripts'], resume?: string): Promise<TeamProcess> => {
    const session = { home, projectRoot: join(home, 'project'), scripts };
    const started = await startTeamProcess(program, { ...session, ...(resume !== undefined && { resume }) });
    running.push(started);
    return started;
  };
}

const call = (tool: string, input: object = {}): TeamAnswer => ({ calls: [{ tool, input: { ...input } }] });
const shop = call('team_create', { team: 'shop' });
const done = { text: 'done' };
const create = { do: 'teams', call: 'create', args: ['shop'] } as const;
const tasks = { do: 'teams', call: 'tasks' } as const;
const teams = (
  name: 'claimTask' | 'completeTask' | 'releaseTask' | 'shutdown' | 'send',
  ...args: unknown[]
) => ({ do: 'teams', call: name, args }) as const;
const addTask = { do: 'teams', call: 'createTask', args: [{ subject: 'one' }] } as const;
const spawnTester = {
  do: 'teams',
  call: 'spawn',
  args: [{ name: 'tester', type: 'general', prompt: 'do your part' }],
} as const;

async function contextsOf(process: TeamProcess, agent: string): Promise<readonly string[]> {
  const requests = await process.order<readonly (readonly Message[])[]>({ do: 'requests', agent });
  return (requests.at(-1) ?? []).flatMap((message) =>
    message.role === 'context' ? [`${message.source}: ${message.text}`] : [],
  );
}

it('two leads have names of their own, write to each other and cannot touch the task of the other', async () => {
  const start = createWorld();
  const one = await start({ main: [done] });
  const two = await start({ main: [shop, call('send_message', { to: 'main', text: 'hello' }), done] });
  expect(await one.order(create)).toEqual({ kind: 'done', value: 'main' });
  await two.order({ do: 'prompt', text: 'go' });
  await one.order({ do: 'prompt', text: 'go' });
  expect(await contextsOf(one, 'main')).toEqual(['message from main-2: hello']);
  await one.order(teams('send', { to: 'main-2', text: 'hello yourself' }));
  await two.order({ do: 'prompt', text: 'go' });
  expect(await contextsOf(two, 'main')).toEqual(['message from main: hello yourself']);
  await one.order(addTask);
  await one.order(teams('claimTask', '1'));
  for (const name of ['completeTask', 'releaseTask'] as const) {
    expect(await two.order(teams(name, '1'))).toEqual({
      kind: 'refused',
      reason: 'task 1 belongs to main; claim it first',
    });
  }
  expect(await one.order(teams('completeTask', '1'))).toMatchObject({ kind: 'done' });
  expect(await two.order({ do: 'teams', call: 'members' })).toMatchObject({
    value: [
      { name: 'main', role: 'lead', alive: true },
      { name: 'main-2', role: 'self', alive: true },
    ],
  });
  expect(await two.order({ do: 'teams', call: 'cleanup' })).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('main of team shop still live'),
  });
});

it('messages pass between the members of two processes', async () => {
  const start = createWorld();
  const one = await start({ tester: [done, { holds: true }] });
  const two = await start({});
  await one.order(create);
  await one.order(spawnTester);
  await one.order({ do: 'settled' });
  await two.order(create);
  expect(await two.order(spawnTester)).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('is alive in team shop already'),
  });
  await two.order(teams('send', { to: 'tester', text: 'from afar' }));
  await one.holding('tester');
  expect(await contextsOf(one, 'tester')).toEqual(['message from main-2: from afar']);
});

it('what a killed lead had claimed can be claimed by the other, and by the next', async () => {
  const start = createWorld();
  const one = await start({});
  const two = await start({});
  for (const each of [one, two]) await each.order(create);
  for (const _ of [1, 2]) await one.order(addTask);
  for (const id of ['1', '2']) await one.order(teams('claimTask', id));
  expect(await two.order(teams('claimTask', '1'))).toMatchObject({ kind: 'refused' });
  const all = teams('send', { to: '*', text: 'hello' });
  expect(await two.order(all)).toEqual({ kind: 'done', value: ['main'] });
  await one.kill();
  expect(await two.order(all)).toEqual({ kind: 'refused', reason: 'nobody else is in team shop' });
  expect(await two.order(teams('claimTask', '1'))).toMatchObject({ value: { owner: 'main-2' } });
  await two.kill();
  const three = await start({});
  expect(await three.order(create)).toEqual({ kind: 'done', value: 'main' });
  expect(await three.order(tasks)).toMatchObject({ value: [{ status: 'pending' }, { status: 'pending' }] });
  for (const id of ['1', '2'])
    expect(await three.order(teams('claimTask', id))).toMatchObject({ value: { owner: 'main' } });
});

it('a killed session that is gone on with leads again under its name and has its task', async () => {
  const start = createWorld();
  const one = await start({});
  await one.order(create);
  await one.order(addTask);
  await one.order(teams('claimTask', '1'));
  await one.kill();
  const again = await start({}, one.session);
  expect(await again.order(tasks)).toMatchObject({ value: [{ status: 'in_progress', owner: 'main' }] });
  await again.order({ do: 'close' });
  // Meanwhile somebody else leads, and has taken the task over.
  const two = await start({});
  await two.order(create);
  await two.order(teams('claimTask', '1'));
  const third = await start({ main: [done] }, one.session);
  expect(await third.order(teams('completeTask', '1'))).toMatchObject({ kind: 'refused' });
  await third.order({ do: 'prompt', text: 'go' });
  expect(await contextsOf(third, 'main')).toEqual([
    'team shop: You are main-2 in team shop now: another session leads it as main.',
  ]);
});

it('a team that was removed meanwhile is not made anew by a session that is gone on with', async () => {
  const start = createWorld();
  const one = await start({});
  await one.order(create);
  await one.order({ do: 'close' });
  const two = await start({});
  await two.order(create);
  expect(await two.order({ do: 'teams', call: 'cleanup' })).toEqual({ kind: 'done', value: 'shop' });
  const again = await start({}, one.session);
  expect(await again.order(tasks)).toEqual({
    kind: 'refused',
    reason: 'there is no team in this session yet; create one first',
  });
  expect(await again.order({ do: 'notices' })).toEqual(['the team shop was removed meanwhile']);
});

it('mail that a killed member was working on comes again, in a new session and in the one gone on with', async () => {
  const start = createWorld();
  const one = await start({ tester: [done, { text: 'read the first' }, { holds: true }] });
  await one.order(create);
  await one.order(spawnTester);
  await one.order({ do: 'settled' });
  await one.order(teams('send', { to: 'tester', text: 'first' }));
  await one.order({ do: 'settled' });
  await one.order(teams('send', { to: 'tester', text: 'second' }));
  await one.holding('tester');
  await one.kill();

  // Gone on with, it stands in the member's conversation and comes no second time.
  const again = await start({ tester: [{ holds: true }] }, one.session);
  await again.order(spawnTester);
  await again.holding('tester');
  expect(await contextsOf(again, 'tester')).toEqual([
    'message from main: first',
    'message from main: second',
  ]);
  await again.kill();

  const two = await start({ tester: [{ text: 'read it' }] });
  await two.order(create);
  await two.order(spawnTester);
  await two.order({ do: 'settled' });
  expect(await contextsOf(two, 'tester')).toEqual(['message from main: second']);
  await two.order({ do: 'close' });
  const three = await start({ tester: [done] });
  await three.order(create);
  await three.order(spawnTester);
  await three.order({ do: 'settled' });
  expect(await contextsOf(three, 'tester')).toEqual([]);
});

it('mail that a killed lead was working on comes to the next, and none it had answered', async () => {
  const start = createWorld();
  const script = { main: [done, { holds: true } as const] };
  const one = await start(script);
  const two = await start({});
  for (const each of [one, two]) await each.order(create);
  await two.order(teams('send', { to: 'main', text: 'first' }));
  await one.order({ do: 'prompt', text: 'go' });
  await two.order(teams('send', { to: 'main', text: 'second' }));
  void one.order({ do: 'prompt', text: 'go' });
  await one.holding('main');
  await one.kill();
  const three = await start({ main: [done] });
  await three.order(create);
  await three.order({ do: 'prompt', text: 'go' });
  expect(await contextsOf(three, 'main')).toEqual(['message from main-2: second']);
});

it('a member whose provider fails gives its task back, says so to its lead, and can be shut down by it', async () => {
  const start = createWorld();
  const one = await start({
    main: [
      shop,
      call('task_create', { subject: 'one' }),
      call('team_spawn', { name: 'tester', prompt: 'take a task' }),
      call('agent_result', { name: 'tester' }),
      call('task_list'),
      call('team_shutdown', { name: 'tester' }),
      call('team_shutdown', { name: 'tester' }),
      call('team_spawn', { name: 'tester', prompt: 'again' }),
      call('team_shutdown'),
      done,
    ],
    tester: [call('task_update', { action: 'claim' }), { fails: 'the provider is on fire' }],
  });
  await one.order({ do: 'prompt', text: 'go' });
  const requests = await one.order<readonly (readonly Message[])[]>({ do: 'requests', agent: 'main' });
  const said = (requests.at(-1) ?? []).flatMap((message) =>
    message.role === 'tool' ? [message.output] : [],
  );
  expect(said.slice(3)).toEqual([
    'tester failed: the provider is on fire\n[task 1 is pending again: tester had it]',
    '1 [pending] one',
    'Ended: tester.',
    'Nobody was ended: no member tester of team shop lives in this session (none does).',
    expect.stringContaining('tester works'),
    'Ended: tester.',
  ]);
});

it('a team in use tells what a killed writer left unfinished', async () => {
  const start = createWorld();
  const one = await start({});
  await one.order(create);
  const { appendFile } = await import('node:fs/promises');
  const shopFolder = join(folder, `home-${worlds}`, '.codey/teams/shop');
  await appendFile(join(shopFolder, 'tasks.jsonl'), '{"kind":"completed","id":"1');
  await appendFile(join(shopFolder, 'mail/main.jsonl'), '{"kind":"mail","id":"x","from":"tester","te');
  const two = await start({});
  await two.order(create);
  expect(await two.order({ do: 'notices' })).toEqual([
    expect.stringContaining('team shop: a change of'),
    expect.stringContaining('team shop: a message from tester to main was cut off'),
  ]);
  const three = await start({});
  await three.order(create);
  expect(await three.order({ do: 'notices' })).toEqual([]);
  const results = await three.order<readonly Returned[]>({ do: 'settled' });
  expect(results).toEqual([]);
});
