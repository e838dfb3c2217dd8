// Agents in worktrees: commands, files, permissions, hooks and variables follow each to where it works.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AgentsWorld,
  call,
  createAgentsWorld,
  lastOutput,
  leave,
  outputs,
  result,
  spawn,
} from './agents-world.ts';

let world: AgentsWorld;
beforeEach(() => {
  world = createAgentsWorld();
  world.write('a.txt', 'one\n');
  world.repository();
});
afterEach(() => world.close());

const done = { text: 'done' };
const record = (line: string, matcher?: string) => [
  { ...(matcher && { matcher }), hooks: [{ type: 'command', command: line }] },
];
const allowShell = { allow: ['run_shell'] };

describe('an isolated agent', () => {
  it('works in its worktree: commands, files, hooks and their variables [koder.env.project-dir] [koder.event.worktreecreate-on-create]', async () => {
    world.settings({
      permissions: { mode: 'acceptEdits', ...allowShell },
      hooks: {
        ...world.askAll(['WorktreeCreate']),
        PreToolUse: record('echo "$PWD $CODEY_PROJECT_DIR $KODER_PROJECT_DIR" >> "$HOME/where"', 'run_shell'),
        tool_start: ['echo "$CODEY_AGENT $PWD" >> "$HOME/told"'],
      },
    });
    world.write('~/.codey/agents/fixer.md', '---\nisolation: worktree\n---\n');
    const opened = await world.open({
      main: [spawn({ agent: 'fixer' }), result('fixer'), done],
      fixer: [
        call('run_shell', { command: 'pwd; echo two > a.txt' }),
        call('write_file', { path: 'b.txt', content: 'new' }),
        call('read_file', { path: 'a.txt' }),
        done,
      ],
    });
    const { session, requests } = opened;
    await session.prompt('go');
    const path = join(world.project, '.codey/worktrees/fixer');
    const [shell, , read] = outputs(requests('fixer').at(-1)?.messages ?? []);
    expect(shell).toBe(path);
    expect(read).toContain('two');
    expect(readFileSync(join(path, 'b.txt'), 'utf8')).toBe('new');
    expect([world.read('a.txt'), world.has('b.txt')]).toEqual(['one\n', false]);
    expect(world.read('~/where')).toBe(`${path} ${path} ${path}\n`);
    expect(world.read('~/told').split('\n')).toContain(`fixer ${world.project}`);
    expect(world.asked()).toMatchObject([
      { project_dir: world.project, branch: 'codey/fixer', worktree_path: path },
    ]);
    expect(requests('fixer')[0]?.system).toContain(`Workspace: ${path}`);
    expect(lastOutput(requests('main').at(-1))).toBe(
      `done\n[its worktree ${path} (branch codey/fixer) is kept: 1 uncommitted change, 1 untracked file]`,
    );
    expect(session.agents.list()).toMatchObject([{ worktree: path }]);
    // Whoever looks after the disk may not be who started it.
    expect(opened.notices).toContain(
      `fixer: its worktree ${path} (branch codey/fixer) is kept: 1 uncommitted change, 1 untracked file`,
    );
  });

  it('leaves nothing when it changed nothing [koder.event.worktreeremove-when-clean]', async () => {
    world.settings({ hooks: world.askAll(['SubagentStop', 'WorktreeRemove']) });
    const { session, requests } = await world.open({
      main: [spawn({ name: 'looker', isolation: 'worktree' }), result('looker'), done],
      looker: [call('read_file', { path: 'a.txt' }), done],
    });
    await session.prompt('go');
    expect(lastOutput(requests('main').at(-1))).toBe('done');
    expect(world.asked()).toMatchObject([
      { event: 'SubagentStop', project_dir: join(world.project, '.codey/worktrees/looker') },
      { event: 'WorktreeRemove', project_dir: world.project, agent_id: 'looker' },
    ]);
    expect(world.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(world.git('branch', '--list', 'codey/*')).toBe('');
    expect(world.git('status', '--porcelain')).toBe('');
  });

  it('has its permissions in its worktree, not in the project it came from', async () => {
    world.settings({ permissions: { mode: 'acceptEdits' } });
    const { session, requests } = await world.open({
      main: [spawn({ name: 'x', isolation: 'worktree' }), result('x'), done],
      x: [
        call('write_file', { path: join(world.project, 'a.txt'), content: 'outside' }),
        call('write_file', { path: '.codey/settings.json', content: '{}' }),
        call('write_file', { path: '.git', content: 'gitdir: elsewhere' }),
        done,
      ],
    });
    await session.prompt('go');
    expect(outputs(requests('x').at(-1)?.messages ?? [])).toEqual([
      expect.stringContaining('write_file outside the workspace needs approval'),
      expect.stringContaining('is protected'),
      expect.stringContaining('is protected'),
    ]);
    expect(world.read('a.txt')).toBe('one\n');
  });

  it('is not started where there can be no worktree, and says why', async () => {
    world.settings({ hooks: { WorktreeCreate: record('echo "the disk is small" >&2; exit 2') } });
    const { session, requests } = await world.open({
      main: [spawn({ name: 'x', isolation: 'worktree' }), done],
    });
    await session.prompt('go');
    expect(lastOutput(requests('main').at(-1))).toBe('The agent was not started: the disk is small');
    expect(requests('x')).toEqual([]);
    expect(session.agents.list()).toEqual([]);
  });

  it('that a person mentioned and that cannot be started is said to the person, too', async () => {
    world.settings({ hooks: { WorktreeCreate: record('echo "the disk is small" >&2; exit 2') } });
    world.write('.codey/agents/apart.md', '---\nisolation: worktree\n---\nYou work apart.\n');
    const opened = await world.open({ main: [done] });
    expect(await opened.session.prompt('@apart do it')).toMatchObject({ stop: 'completed' });
    const sentence = 'apart was not started: the disk is small';
    expect(opened.notices).toContain(sentence);
    expect(JSON.stringify(opened.requests('main')[0]?.messages)).toContain(sentence);
  });

  it('is removed clean even when it is cancelled', async () => {
    const { session, told } = await world.open({
      main: [spawn({ name: 'x', isolation: 'worktree' }), done],
      x: [() => new Promise<never>(() => {})],
    });
    await session.prompt('go');
    await expect.poll(() => told).toContain('turn_start x 1');
    session.agents.cancel('x');
    await session.agents.settled(new AbortController().signal);
    expect(world.git('worktree', 'list').split('\n')).toHaveLength(1);
  });
});

describe('enter_worktree and exit_worktree', () => {
  const enter = call('enter_worktree', { name: 'try' });
  const exit = call('exit_worktree');

  it('move the agent there and back, and tell the hooks [koder.event.worktreeremove-when-clean]', async () => {
    world.settings({
      permissions: { mode: 'acceptEdits', ...allowShell },
      hooks: {
        ...world.askAll(['CwdChanged', 'WorktreeCreate', 'WorktreeRemove']),
        PreToolUse: record('echo "$CODEY_PROJECT_DIR" >> "$HOME/where"', 'run_shell'),
      },
    });
    const pwd = call('run_shell', { command: 'pwd' });
    const { session, requests } = await world.open({ main: [pwd, enter, pwd, enter, exit, pwd, exit, done] });
    await session.prompt('go');
    const path = join(world.project, '.codey/worktrees/try');
    expect(outputs(requests('main').at(-1)?.messages ?? [])).toEqual([
      world.project,
      expect.stringContaining(`You are in ${path} now, on branch codey/try`),
      path,
      `You are in the worktree ${path} already; exit_worktree leaves it.`,
      'You are back. The worktree held nothing new and is removed.',
      world.project,
      'You are in no worktree that enter_worktree made.',
    ]);
    expect(world.read('~/where')).toBe(`${world.project}\n${path}\n${world.project}\n`);
    expect(world.asked().map(({ event, cwd }) => [event, cwd])).toEqual([
      ['WorktreeCreate', world.project],
      ['CwdChanged', path],
      ['CwdChanged', world.project],
      ['WorktreeRemove', world.project],
    ]);
    expect(requests('main')[3]?.system).toContain(`Workspace: ${path}`);
    expect(existsSync(path)).toBe(false);
  });

  it('ask before they make one, and never in mode plan', async () => {
    const { session, requests } = await world.open({ main: [enter, done] });
    await session.prompt('go');
    expect(lastOutput(requests('main').at(-1))).toMatch(/enter_worktree needs approval in mode default/);
    expect(world.has('.codey/worktrees')).toBe(false);
  });

  it('keep what was done there when the session ends, and say so', async () => {
    world.settings({ permissions: { mode: 'bypassPermissions' } });
    const opened = await world.open({
      main: [enter, call('write_file', { path: 'new.txt', content: 'x' }), done],
    });
    await opened.session.prompt('go');
    await leave(opened.session);
    const path = join(world.project, '.codey/worktrees/try');
    expect(opened.notices).toContain(`its worktree ${path} (branch codey/try) is kept: 1 untracked file`);
    expect(existsSync(join(path, 'new.txt'))).toBe(true);
  });

  it('of a subagent move that one alone', async () => {
    world.settings({ permissions: { mode: 'bypassPermissions' } });
    const pwd = call('run_shell', { command: 'pwd' });
    const { session, requests } = await world.open({
      main: [spawn({ name: 'x' }), result('x'), pwd, done],
      x: [enter, pwd, done],
    });
    await session.prompt('go');
    expect(lastOutput(requests('x').at(-1))).toBe(join(world.project, '.codey/worktrees/try'));
    expect(lastOutput(requests('main').at(-1))).toBe(world.project);
    expect(world.git('worktree', 'list').split('\n')).toHaveLength(1);
  });
});
