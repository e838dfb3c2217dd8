// Stories of teams, in whole sessions: members with a script each, real mailboxes and task lists, hooks on every event.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSessionStore } from '../src/session/store.ts';
import {
  type AgentsWorld,
  call,
  contexts,
  createAgentsWorld,
  gate,
  lastOutput,
  leave,
  outputs,
  result,
  spawn,
} from './agents-world.ts';

let world: AgentsWorld;
beforeEach(() => {
  world = createAgentsWorld();
});
afterEach(() => world.close());

const never = new AbortController().signal;
const hook = (line: string, matcher?: string) => [
  { ...(matcher && { matcher }), hooks: [{ type: 'command', command: line }] },
];
const team = call('team_create', { team: 'shop' });
const mate = (name: string) => call('team_spawn', { name, prompt: 'do your part' });
const update = (action: string, task?: string, more: object = {}) =>
  call('task_update', { action, ...(task !== undefined && { task }), ...more });
const done = { text: 'done' };

describe('a teammate', () => {
  it('keeps its conversation from message to message, and answers each', async () => {
    const { session, requests, told } = await world.open({
      main: [
        team,
        mate('tester'),
        result('tester'),
        call('send_message', { to: 'tester', text: 'and the tax?' }),
        result('tester'),
        done,
      ],
      tester: [{ text: 'the cart works' }, { text: 'the tax too' }],
    });
    await session.prompt('go');
    expect(outputs(requests('main').at(-1)?.messages ?? [])).toEqual([
      expect.stringContaining('Team shop is ready, and you are main in it'),
      expect.stringContaining('tester works'),
      'the cart works',
      'Sent to tester.',
      'the tax too',
    ]);
    expect(requests('tester')[1]?.messages).toEqual([
      { role: 'user', text: 'do your part' },
      { role: 'assistant', text: 'the cart works', calls: [] },
      { role: 'context', text: 'and the tax?', source: 'message from main' },
    ]);
    expect(told.filter((line) => line.includes('tester'))).toEqual([
      'turn_start tester 1',
      'turn_start tester 1',
    ]);
    expect(session.agents.list()).toMatchObject([{ name: 'tester', team: 'shop', state: 'idle' }]);
  });

  it('sees messages between two steps of its work, as the main agent does between its own', async () => {
    const sent = gate();
    const { session, requests } = await world.open({
      main: [
        team,
        mate('tester'),
        call('send_message', { to: 'tester', text: 'use euros' }),
        async () => {
          sent.open();
          return result('tester');
        },
        done,
      ],
      tester: [
        async () => {
          await sent.opened;
          return { text: 'dollars it is' };
        },
        call('send_message', { to: 'main', text: 'euros it is' }),
        { text: 'changed' },
      ],
    });
    await session.prompt('go');
    expect(contexts(requests('tester')[1]?.messages ?? [])).toEqual(['message from main: use euros']);
    expect(contexts(requests('main').at(-1)?.messages ?? [])).toEqual(['message from tester: euros it is']);
    expect(lastOutput(requests('main').at(-1))).toBe('changed');
  });

  it('becomes idle with what the event is about, and is kept working by a block, eight times at most [koder.event.teammateidle-when-idle] [koder.event.teammateidle-match] [koder.event.teammateidle-payload] [koder.event.teammateidle-block]', async () => {
    world.settings({
      hooks: {
        TeammateIdle: [
          ...hook('cat >> "$HOME/asked.jsonl"'),
          ...hook('echo "there are tests left" >&2; exit 2', '^tester$'),
        ],
      },
    });
    const opened = await world.open({
      main: [team, mate('tester'), mate('writer'), result('tester'), result('writer'), done],
    });
    await opened.session.prompt('go');
    const { requests, notices } = opened;
    const asked = world.asked();
    expect(asked.filter(({ agent_name }) => agent_name === 'writer')).toMatchObject([
      { event: 'TeammateIdle', team_name: 'shop', agent_id: 'writer', agent_type: 'general' },
    ]);
    expect(requests('tester')).toHaveLength(8);
    expect(contexts(requests('tester')[1]?.messages ?? [])[0]).toContain('there are tests left');
    expect(notices).toContain('tester is idle now: TeammateIdle hooks kept it working 8 times');
    expect(requests('writer')).toHaveLength(1);
  });

  it('goes through the gate and asks the hooks in its own name [contract.gate.every-caller]', async () => {
    world.settings({
      hooks: {
        PreToolUse: hook(
          'echo "not $(cat | tr -d \'\\n\' | grep -o \'"agent_id":"[a-z]*"\')" >&2; exit 2',
          'run_shell',
        ),
      },
    });
    const { session, requests } = await world.open({
      main: [team, mate('tester'), result('tester'), done],
      tester: [call('run_shell', { command: 'touch ran' }), done],
    });
    await session.prompt('go');
    expect(lastOutput(requests('tester').at(-1))).toContain('"agent_id":"tester"');
    expect(world.has('ran')).toBe(false);
  });

  it('goes on with what it knew when the session is resumed, and no other agent gets its name', async () => {
    const notices: string[] = [];
    const store = openSessionStore({
      home: world.home,
      projectRoot: world.project,
      pid: process.pid,
      now: Date.now,
      onNotice: (text) => void notices.push(text),
    });
    const stored = await store.create(world.project);
    const first = await world.open(
      { main: [team, mate('tester'), result('tester'), done], tester: [{ text: 'I remember' }] },
      { stored },
    );
    await first.session.prompt('go');
    // As a kill would leave it: the member did not leave its team, nor the session.
    await stored.flush();
    const copy = await store.fork(stored.id);
    if (copy.kind !== 'opened') throw new Error(copy.message);
    await first.session.agents.teams.shutdown();
    const second = await world.open(
      { main: [team, mate('tester'), spawn({ name: 'tester' }), result('tester'), done], tester: [done] },
      { stored: copy.session, source: 'resume' },
    );
    await second.session.prompt('go');
    expect(second.requests('tester')[0]?.messages).toEqual([
      { role: 'user', text: 'do your part' },
      { role: 'assistant', text: 'I remember', calls: [] },
      { role: 'user', text: 'do your part' },
    ]);
    expect(outputs(second.requests('main').at(-1)?.messages ?? [])).toContainEqual(
      expect.stringContaining('Started tester-2.'),
    );
    expect(notices).toEqual([]);
  });

  it('lives once, has a name of its own, and is refused otherwise', async () => {
    world.settings({ hooks: { SubagentStart: hook('echo "no general today" >&2; exit 2', 'general') } });
    world.write('~/.codey/agents/tester.md', 'You test.');
    const add = (name: string, agent: string) => call('team_spawn', { name, agent, prompt: 'x' });
    const { session, requests } = await world.open({
      main: [
        add('tester', 'tester'),
        team,
        add('tester', 'tester'),
        add('tester', 'tester'),
        add('main', 'tester'),
        add('a/b', 'tester'),
        add('other', 'testr'),
        add('other', 'general'),
        done,
      ],
    });
    await session.prompt('go');
    expect(outputs(requests('main').at(-1)?.messages ?? [])).toEqual([
      'tester was not added: there is no team in this session yet; create one first.',
      expect.stringContaining('is ready'),
      expect.stringContaining('tester works'),
      'tester was not added: tester is alive in team shop already; send it a message.',
      expect.stringContaining('"main" cannot be the name of a member'),
      expect.stringContaining('"a/b" cannot be the name of a member'),
      expect.stringContaining('there is no agent "testr" (did you mean tester?)'),
      'other was not added: no general today.',
    ]);
  });
});

describe('messages', () => {
  it('reach everybody, nobody twice, and only who is there', async () => {
    const { session, requests } = await world.open({
      main: [
        team,
        mate('one'),
        mate('two'),
        result('one'),
        result('two'),
        call('send_message', { to: '*', text: 'all of you' }),
        call('send_message', { to: 'three', text: 'hello?' }),
        call('send_message', { to: 'main', text: 'to myself' }),
        call('send_message', { to: 'one', text: 'x'.repeat(50_001) }),
        result('one'),
        result('two'),
        done,
      ],
    });
    await session.prompt('go');
    expect(outputs(requests('main').at(-1)?.messages ?? []).slice(5, 9)).toEqual([
      'Sent to one, two.',
      'Nothing was sent: there is no three in team shop; there are one, two.',
      'Nothing was sent: that would be a message to yourself.',
      expect.stringContaining('at most 50000 characters'),
    ]);
    for (const name of ['one', 'two'])
      expect(contexts(requests(name).at(-1)?.messages ?? [])).toEqual(['message from main: all of you']);
  });

  it('wait for a member that is not alive, in this session or the next', async () => {
    const first = await world.open({ main: [team, mate('tester'), result('tester'), done] });
    await first.session.prompt('go');
    await first.session.agents.teams.shutdown();
    expect(await first.session.agents.teams.send({ to: 'tester', text: 'for later' })).toEqual({
      kind: 'done',
      value: ['tester'],
    });
    expect(await first.session.agents.teams.members()).toEqual({
      kind: 'done',
      value: [
        { name: 'main', role: 'self', alive: true, unread: 0 },
        { name: 'tester', role: 'member', alive: false, unread: 1 },
      ],
    });
    await leave(first.session);
    const second = await world.open({ main: [team, mate('tester'), result('tester'), done] });
    await second.session.prompt('go');
    expect(contexts(second.requests('tester').at(-1)?.messages ?? [])).toEqual([
      'message from main: for later',
    ]);
  });

  it('that a member was working on when it was ended come to the next one of its name', async () => {
    const reached = gate();
    const { session, requests } = await world.open({
      main: [
        team,
        mate('tester'),
        result('tester'),
        call('send_message', { to: 'tester', text: 'and this' }),
        done,
      ],
      tester: [
        { text: 'ready' },
        async () => {
          reached.open();
          return new Promise<never>(() => {});
        },
        { text: 'did it' },
      ],
    });
    await session.prompt('go');
    await reached.opened;
    const { teams } = session.agents;
    expect(await teams.shutdown('tester')).toEqual({ kind: 'done', value: ['tester'] });
    expect(await teams.members()).toMatchObject({ value: [{}, { name: 'tester', alive: false, unread: 1 }] });
    await teams.spawn({ name: 'tester', type: 'general', prompt: 'go on' });
    await session.agents.settled(never);
    expect(contexts(requests('tester').at(-1)?.messages ?? [])).toEqual(['message from main: and this']);
  });

  it('pass between two sessions of one program', async () => {
    const one = await world.open({ main: [team, mate('tester'), done] });
    const other = await world.open({
      main: [team, call('send_message', { to: 'tester', text: 'from afar' }), done],
    });
    await one.session.prompt('go');
    await one.session.agents.settled(never);
    await other.session.prompt('go');
    expect(
      await other.session.agents.teams.spawn({ name: 'tester', type: 'general', prompt: 'x' }),
    ).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('is alive in team shop already'),
    });
    await expect
      .poll(() => contexts(one.requests('tester').at(-1)?.messages ?? []), { timeout: 10_000 })
      .toEqual(['message from main-2: from afar']);
    await one.session.agents.settled(never);
  });

  it('are what the user reads and writes with /peers', async () => {
    const { session, requests } = await world.open({
      main: [team, mate('tester'), result('tester'), done],
      tester: [call('send_message', { to: 'main', text: 'hello there' }), { text: 'wrote' }],
    });
    const { teams } = session.agents;
    expect(await teams.inbox()).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('no team'),
    });
    await teams.create('shop');
    await teams.spawn({ name: 'tester', type: 'general', prompt: 'write to main' });
    await session.agents.settled(never);
    expect(await teams.inbox()).toMatchObject({
      kind: 'done',
      value: [{ from: 'tester', text: 'hello there' }],
    });
    await session.prompt('go');
    expect(contexts(requests('main')[0]?.messages ?? [])).toContain('message from tester: hello there');
    expect(await teams.inbox()).toEqual({ kind: 'done', value: [] });
    expect(await teams.history()).toMatchObject({ kind: 'done', value: [{ from: 'tester', to: 'main' }] });
  });
});

describe('tasks', () => {
  const create = (subject: string, after?: readonly string[]) =>
    call('task_create', { subject, description: `how to ${subject}`, ...(after && { after }) });

  it('fire their events with all fields, matched by id [koder.event.taskcreated-on-create] [koder.event.taskcompleted-on-complete] [koder.event.task-match] [koder.event.task-payload]', async () => {
    world.settings({
      hooks: {
        TaskCreated: hook('cat >> "$HOME/asked.jsonl"', '^2$'),
        TaskCompleted: hook('cat >> "$HOME/asked.jsonl"', '^2$'),
      },
    });
    const { session } = await world.open({
      main: [
        team,
        create('one'),
        create('two'),
        update('claim', '1'),
        update('complete', '1'),
        update('claim'),
        update('complete', '2'),
        done,
      ],
    });
    await session.prompt('go');
    const fields = { task_id: '2', subject: 'two', description: 'how to two', team: 'shop' };
    expect(world.asked()).toMatchObject([
      { event: 'TaskCreated', ...fields, status: 'pending', owner: null },
      { event: 'TaskCompleted', ...fields, status: 'completed', owner: 'main' },
    ]);
  });

  it('are not there when a hook blocks their creation, nor done when it blocks their completion [koder.event.taskcreated-block] [koder.event.taskcompleted-block]', async () => {
    world.settings({
      hooks: {
        TaskCreated: hook('grep -q secret && { echo "no secrets" >&2; exit 2; } || true'),
        TaskCompleted: hook('test -f "$HOME/tested" || { echo "run the tests first" >&2; exit 2; }'),
      },
    });
    const { session, requests } = await world.open({
      main: [
        team,
        create('the secret part'),
        create('the other part'),
        update('claim'),
        update('complete', '2'),
        call('task_list'),
        async () => {
          world.write('~/tested', '');
          return update('complete', '2');
        },
        done,
      ],
    });
    await session.prompt('go');
    expect(outputs(requests('main').at(-1)?.messages ?? []).slice(1)).toEqual([
      'The task was not created: no secrets.',
      'Created: 2 [pending] the other part',
      '2 [in progress by main] the other part',
      'Nothing changed: run the tests first.',
      '2 [in progress by main] the other part\n  how to the other part',
      '2 [completed by main] the other part',
    ]);
  });

  it('wait for others, and never in a circle', async () => {
    const { session, requests } = await world.open({
      main: [
        team,
        create('one'),
        create('two', ['1']),
        create('three', ['7']),
        update('claim', '2'),
        update('order', '1', { after: ['2'] }),
        update('order', '2', { after: [] }),
        update('claim', '2'),
        update('release', '2'),
        update('complete', '2'),
        update('complete'),
        done,
      ],
    });
    await session.prompt('go');
    expect(outputs(requests('main').at(-1)?.messages ?? []).slice(2)).toEqual([
      'Created: 2 [pending, after 1] two',
      'The task was not created: there is no task 7 (there are 1, 2).',
      'Nothing changed: task 2 waits for 1.',
      'Nothing changed: that would be a circle: 1 after 2 after 1.',
      '2 [pending] two',
      '2 [in progress by main] two',
      '2 [pending] two',
      'Nothing changed: task 2 belongs to nobody; claim it first.',
      'Nothing changed: complete needs an id.',
    ]);
  });

  it('are worked on by an agent that is no member in the name of who leads', async () => {
    const { session, requests } = await world.open({
      main: [team, create('one'), spawn({ name: 'helper' }), result('helper'), call('task_list'), done],
      helper: [
        update('claim'),
        update('complete', '1'),
        call('send_message', { to: 'main', text: 'it is done' }),
        done,
      ],
    });
    await session.prompt('go');
    expect(outputs(requests('helper').at(-1)?.messages ?? [])).toEqual([
      '1 [in progress by main] one',
      '1 [completed by main] one',
      'Sent to main.',
    ]);
    expect(contexts(requests('main').at(-1)?.messages ?? [])).toEqual([
      'message from main/helper: it is done',
    ]);
    expect(lastOutput(requests('main').at(-1))).toBe('1 [completed by main] one');
  });

  it('are free again when the member that had them is ended in the middle', async () => {
    const claimed = gate();
    const { session } = await world.open({
      main: [team, create('one'), mate('tester'), done],
      tester: [
        update('claim'),
        async () => {
          claimed.open();
          return new Promise<never>(() => {});
        },
      ],
    });
    await session.prompt('go');
    await claimed.opened;
    const { teams } = session.agents;
    expect(await teams.tasks()).toMatchObject({ value: [{ status: 'in_progress', owner: 'tester' }] });
    session.agents.cancel('tester');
    await session.agents.settled(never);
    expect(await teams.shutdown()).toMatchObject({ kind: 'done' });
    expect(await teams.tasks()).toMatchObject({ value: [{ status: 'pending', owner: null }] });
    expect(await teams.claimTask()).toMatchObject({ kind: 'done', value: { id: '1', owner: 'main' } });
  });
});

describe('a team', () => {
  it('is cleaned up when its members are shut down', async () => {
    const { session } = await world.open({ main: [team, mate('tester'), done] });
    await session.prompt('go');
    const { teams } = session.agents;
    expect(await teams.cleanup()).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('tester'),
    });
    expect(await teams.shutdown()).toEqual({ kind: 'done', value: ['tester'] });
    expect(await teams.cleanup()).toEqual({ kind: 'done', value: 'shop' });
    expect(world.has('~/.codey/teams/shop')).toBe(false);
    expect(teams.open()).toEqual([]);
  });

  it('is cleaned up by its name, whichever is in use', async () => {
    const { session } = await world.open({ main: [done] });
    const { teams } = session.agents;
    await teams.create('shop');
    await teams.create('other');
    expect(await teams.cleanup('shopp')).toEqual({
      kind: 'refused',
      reason: 'the team shopp is not open in this session; there are shop, other',
    });
    expect(await teams.cleanup('shop')).toEqual({ kind: 'done', value: 'shop' });
    expect([world.has('~/.codey/teams/shop'), world.has('~/.codey/teams/other')]).toEqual([false, true]);
    expect(teams.open()).toEqual(['other']);
    expect(await teams.send({ to: 'nobody', text: 'hi' })).toEqual({
      kind: 'refused',
      reason: 'there is no nobody in team other; nobody else is in it',
    });
  });

  it('needs a name, a place and files that can be used', async () => {
    const { session } = await world.open({});
    const { teams } = session.agents;
    expect(await teams.create('../up')).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('"../up" cannot be'),
    });
    world.write('~/.codey/teams/taken', 'a file');
    expect(await teams.create('taken')).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/cannot be made/),
    });
    await teams.create('shop');
    world.write('~/.codey/teams/shop/tasks.jsonl/inside', 'a folder where a file should be');
    expect(await teams.createTask({ subject: 'x' })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('the files of team shop'),
    });
    const { teamsFolder: _, ...homeless } = { teamsFolder: '' };
    const other = await world.open({}, { ...homeless, teamsFolder: undefined as never });
    expect(await other.session.agents.teams.create('shop')).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('HOME is not set'),
    });
  });

  it('is made by the main agent only', async () => {
    const { session, requests } = await world.open({
      main: [call('spawn_agent', { prompt: 'x' }), result('general'), done],
      general: [team, done],
    });
    await session.prompt('go');
    expect(lastOutput(requests('general').at(-1))).toBe('No team: only the main agent makes teams.');
  });
});
