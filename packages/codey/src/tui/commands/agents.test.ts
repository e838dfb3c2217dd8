import { afterEach, describe, expect, it } from 'vitest';
import { key, openStage, type Stage } from '../testing/stage.ts';

let stage: Stage;

afterEach(() => stage.close());

const reviewer = {
  name: 'reviewer',
  type: 'general',
  parent: 'main',
  state: 'working',
  task: 'read the tests',
  outcome: '',
} as const;

describe('agents', () => {
  it('are listed while they work, and one or all of them are ended by key', async () => {
    stage = await openStage();
    const { agents, calls } = stage.session();
    agents.change(reviewer);
    await stage.keys('/agents', key.enter);
    expect(await stage.text()).toContain('› reviewer (general) · working · read the tests');
    agents.change({ ...reviewer, name: 'second', task: 'write docs' });
    expect(await stage.text()).toContain('second (general) · working · write docs');
    await stage.keys(key.down, 'x', 'X', key.escape);
    expect(calls).toEqual(['cancel second', 'cancel all']);
    expect(await stage.text()).not.toContain('x ends one');
  });

  it('are ended by name, and a name nobody has is said', async () => {
    stage = await openStage();
    const { agents, calls } = stage.session();
    agents.change(reviewer);
    await stage.keys('/agents cancel reviewer', key.enter, '/agents cancel nobody', key.enter);
    await stage.keys('/agents cancel all', key.enter);
    expect(calls).toEqual(['cancel reviewer', 'cancel nobody', 'cancel all']);
    expect(await stage.text()).toContain('No agent nobody is at work.');
  });

  it.each([
    ['/fork look', 'fork false look', 'fork-1 is at work'],
    ['/fork --context look', 'fork true look', 'fork-1 is at work'],
    ['/fork', 'fork false ', 'No agent was started: nothing to do'],
    ['/peers create shop', 'create shop', 'The team shop is open; you are main-2 in it.'],
    ['/peers spawn ann general find it', 'member ann general find it', 'ann is at work'],
    ['/peers send ann well done', 'send ann well done', 'Sent to ann.'],
    ['/peers inbox', 'inbox', 'There is no mail.'],
    ['/peers history', 'history', '2026-01-15 09:30 ann → main  done'],
    ['/peers shutdown', 'shutdown all', 'Ended: ann.'],
    ['/peers shutdown ann', 'shutdown ann', 'Ended: ann.'],
    ['/peers cleanup', 'cleanup in use', 'The team shop is removed.'],
    ['/peers cleanup other', 'cleanup other', 'The team other is removed.'],
    ['/tasks add pay it', 'create task pay it', 'Task 1: pay it · pending'],
    ['/tasks claim', 'claim any', 'Task 1: the bill'],
    ['/tasks order 1 2, 3', 'order 1 2 3', 'after 2, 3'],
    ['/tasks release 1', 'release 1', 'Task 1'],
    ['/tasks complete 1', 'complete 1', 'Task 1'],
  ])('%s does what it says', async (line, call, said) => {
    stage = await openStage();
    stage.terminal.press(key.paste(line));
    await stage.keys(key.enter);
    expect(stage.session().calls).toEqual([call]);
    expect(await stage.text()).toContain(said);
  });

  it.each([
    ['/peers', 'members', 'main-2  alive, leads this session, 0 unread', 'ann'],
    ['/peers tasks', 'tasks', '1  the bill · pending', 'Tasks of team shop · live'],
    ['/tasks', 'tasks', '1  the bill · pending', 'Tasks of team shop · live'],
  ])(
    '%s lists live: anew with each change here, and each second for those elsewhere',
    async (line, call, row, more) => {
      stage = await openStage();
      const { agents, calls } = stage.session();
      stage.terminal.press(key.paste(line));
      stage.terminal.press(key.enter);
      expect(await stage.text()).toContain(row);
      expect(await stage.text()).toContain(more);
      expect(calls).toEqual([call]);
      agents.change(reviewer);
      await stage.rest();
      expect(calls).toEqual([call, call]);
      stage.clock.advance(1_000);
      await stage.rest();
      expect(calls).toEqual([call, call, call]);
      await stage.keys(key.escape);
      expect(await stage.text()).not.toContain('· live');
      agents.change(reviewer);
      stage.clock.advance(5_000);
      await stage.rest();
      expect(calls).toEqual([call, call, call]);
    },
  );

  it.each([
    '/peers send ann',
    '/peers spawn ann',
    '/tasks release',
    '/peers create',
    '/peers cleanup shop other',
    '/peers shutdown ann bob',
    '/peers history shop',
    '/peers inbox ann',
    '/peers tasks shop',
    '/tasks claim 1 2',
    '/tasks release 1 2',
    '/tasks complete 1 2',
  ])('%s says how it is written', async (line) => {
    stage = await openStage();
    stage.terminal.press(key.paste(line));
    await stage.keys(key.enter);
    expect(stage.session().calls).toEqual([]);
    expect(await stage.text()).toContain('Write /');
  });
});
