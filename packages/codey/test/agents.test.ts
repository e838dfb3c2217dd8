// More than one agent through the whole program, without a screen.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStage, type ScriptEntry, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
  stage.write(
    '.codey/agents/reviewer.md',
    '---\ndescription: Reviews.\ntools: [read_file, run_shell]\n---\nYou review.\n',
  );
});
afterEach(() => stage.remove());

/** A script for each agent. */
async function run(
  script: {
    readonly main?: readonly ScriptEntry[];
    readonly agents?: Readonly<Record<string, readonly ScriptEntry[]>>;
  },
  prompt = 'do it',
  ...args: readonly string[]
) {
  const file = path.join(stage.home, 'script.json');
  writeFileSync(file, JSON.stringify(script));
  return stage.codey(['-p', prompt, '--model', `script:${file}`, ...args]);
}

const lines = (text: string): readonly Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const spawn = (input: object): ScriptEntry => ({
  calls: [{ tool: 'spawn_agent', input: { agent: 'reviewer', prompt: 'look', ...input } }],
});
const result: ScriptEntry = { calls: [{ tool: 'agent_result', input: { name: 'reviewer' } }] };
const shell = (command: string): ScriptEntry => ({ calls: [{ tool: 'run_shell', input: { command } }] });

/** Every event of both kinds appends a line. */
const told = {
  ...Object.fromEntries(
    ['run_start', 'run_end', 'turn_start', 'tool_start', 'tool_result'].map((event) => [
      event,
      ['echo "$CODEY_HOOK_EVENT $CODEY_AGENT $CODEY_TURN $CODEY_TOOL" >> "$HOME/told"'],
    ]),
  ),
  ...Object.fromEntries(
    ['PreToolUse', 'SubagentStart', 'SubagentStop', 'Stop'].map((event) => [
      event,
      [
        {
          hooks: [
            {
              type: 'command',
              command: `python3 -c "import json,os,sys; p=json.load(sys.stdin); open(os.environ['HOME']+'/told','a').write(' '.join([p['event'],p['agent_id'],p.get('tool_name','')]).strip()+'\\n')"`,
            },
          ],
        },
      ],
    ]),
  ),
};

describe('print mode with agents', () => {
  it('runs them behind the same hooks, with their names [contract.gate.every-caller] [codey.env.agent] [codey.turn.start-per-model-call]', async () => {
    stage.write('~/.codey/settings.json', { hooks: told, permissions: { allow: ['run_shell'] } });
    const ran = await run({
      main: [spawn({}), result, { text: 'all done' }],
      agents: { reviewer: [shell('echo hi'), { text: 'looks fine' }] },
    });
    expect(ran).toMatchObject({ code: 0, stdout: 'all done\n' });
    const about = stage
      .read('~/told')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.includes('reviewer'));
    expect(about).toEqual([
      'SubagentStart reviewer',
      'turn_start reviewer 1',
      'PreToolUse reviewer run_shell',
      'tool_start reviewer 1 run_shell',
      'tool_result reviewer 1 run_shell',
      'turn_start reviewer 2',
      'SubagentStop reviewer',
    ]);
    expect(stage.read('~/told').match(/^run_/gm)).toHaveLength(2);
  });

  it('waits for agents that work on after the answer, and hands their results out', async () => {
    const script = {
      main: [spawn({}), { text: 'started' }],
      agents: { reviewer: [{ delay_ms: 300, ...shell('true') }, { text: 'looks fine' }] },
    };
    stage.write('~/.codey/settings.json', { permissions: { allow: ['run_shell'] } });
    const text = await run(script);
    expect(text).toMatchObject({ code: 0, stdout: 'started\n' });
    expect(text.stderr).toContain('waiting for reviewer');
    expect(text.stderr).toContain('agent reviewer, not asked for its result: looks fine');
    const json = await run(script, 'do it', '--output-format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      result: 'started',
      agents: [{ name: 'reviewer', result: 'looks fine', is_error: false }],
    });
  });

  it('tells of agents in stream-json', async () => {
    const ran = await run(
      { main: [spawn({}), result, { text: 'done' }], agents: { reviewer: [{ text: 'fine' }] } },
      'go',
      '--output-format',
      'stream-json',
    );
    expect(lines(ran.stdout).filter(({ type }) => type === 'agent')).toEqual([
      { type: 'agent', agent: 'reviewer', agent_type: 'reviewer', parent: 'main', state: 'working' },
      { type: 'agent', agent: 'reviewer', agent_type: 'reviewer', parent: 'main', state: 'done' },
    ]);
  });

  it('denies a subagent what needs an approval, since nobody is there [contract.agent.never-looser]', async () => {
    const ran = await run(
      {
        main: [spawn({}), result, { text: 'done' }],
        agents: { reviewer: [shell('touch made'), { text: 'could not' }] },
      },
      'go',
      '--output-format',
      'json',
    );
    expect(JSON.parse(ran.stdout).permission_denials).toMatchObject([{ tool: 'run_shell' }]);
    expect(stage.has('made')).toBe(false);
  });

  it('takes /fork, @agent and --agent [koder.event.subagent-on-fork] [koder.event.subagent-on-mention] [koder.event.subagent-on-definition]', async () => {
    stage.write('~/.codey/settings.json', { hooks: told });
    const agents = { reviewer: [{ text: 'looks fine' }], fork: [{ text: 'forked' }] };
    const starts = (): number => stage.read('~/told').match(/^SubagentSt(art|op)/gm)?.length ?? 0;
    expect(await run({ main: [{ text: 'thanks' }], agents }, '@reviewer is it fine?')).toMatchObject({
      code: 0,
      stdout: 'thanks\n',
    });
    expect(starts()).toBe(2);
    expect(await run({ agents }, 'is it fine?', '--agent', 'reviewer')).toMatchObject({
      code: 0,
      stdout: 'looks fine\n',
    });
    expect(starts()).toBe(4);
    expect(await run({ agents }, '/fork --context look around')).toMatchObject({
      code: 0,
      stdout: 'forked\n',
    });
    expect(starts()).toBe(6);
    expect(await run({ agents }, '/fork')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/fork [--context] <prompt>'),
    });
  });

  it('refuses an agent there is none of, and names bad definitions', async () => {
    stage.write('.codey/agents/broken.md', '---\ntools: [read_fil]\n---\n');
    const ran = await run({}, 'go', '--agent', 'broken');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(
      /broken\.md:2:1 {2}"tools" names "read_fil", which is no tool {2}\(did you mean read_file\?\); this agent is not used/,
    );
    expect(ran.stderr).toContain('--agent broken: there is no such agent; there are reviewer, general');
  });

  it("holds the hooks of a repository's definition back until somebody agreed to them", async () => {
    stage.write(
      '.codey/agents/reviewer.md',
      '---\nhooks:\n  SubagentStart: [{hooks: [{type: command, command: touch started}]}]\n---\n',
    );
    const script = { main: [spawn({}), result, { text: 'done' }], agents: { reviewer: [{ text: 'fine' }] } };
    const held = await run(script);
    expect(held.code).toBe(0);
    expect(held.stderr).toContain('codey hooks trust');
    expect(stage.has('started')).toBe(false);
    await run(script, 'go', '--trust-project-hooks');
    expect(stage.has('started')).toBe(true);
  });

  it('ends agents with the program when a signal comes', async () => {
    stage.write('~/.codey/settings.json', {
      permissions: { allow: ['run_shell'] },
      hooks: { tool_start: ['touch "$HOME/started"'] },
    });
    const file = path.join(stage.home, 'script.json');
    writeFileSync(
      file,
      JSON.stringify({ main: [spawn({}), { text: 'started' }], agents: { reviewer: [shell('sleep 300')] } }),
    );
    const ran = await stage.codey(['-p', 'go', '--model', `script:${file}`], {
      onStart(child) {
        const timer = setInterval(() => {
          if (!child.stderr().includes('waiting for reviewer')) return;
          clearInterval(timer);
          child.kill('SIGTERM');
        }, 20);
      },
    });
    expect(ran.code).toBe(143);
    expect(stage.journal().at(-1)).toMatchObject({ event: 'session_end', reason: 'signal' });
  });

  it('works with a team and a worktree', async () => {
    execFileSync('git', ['commit', '--quiet', '--allow-empty', '-m', 'first'], { cwd: stage.project });
    stage.write('~/.codey/settings.json', { permissions: { mode: 'bypassPermissions' } });
    const call = (tool: string, input: object = {}): ScriptEntry => ({
      calls: [{ tool, input: { ...input } }],
    });
    const ran = await run(
      {
        main: [
          call('team_create', { team: 'shop' }),
          call('task_create', { subject: 'write it' }),
          call('team_spawn', { name: 'writer', prompt: 'take a task' }),
          call('agent_result', { name: 'writer' }),
          call('task_list'),
          spawn({ isolation: 'worktree' }),
          result,
          { text: 'done' },
        ],
        agents: {
          writer: [
            call('task_update', { action: 'claim' }),
            call('write_file', { path: 'written.txt', content: 'x' }),
            call('task_update', { action: 'complete', task: '1' }),
            call('send_message', { to: 'main', text: 'it is written' }),
            { text: 'wrote it' },
          ],
          reviewer: [shell('pwd > where.txt'), { text: 'reviewed' }],
        },
      },
      'go',
      '--output-format',
      'stream-json',
    );
    expect(ran.code).toBe(0);
    expect(stage.read('written.txt')).toBe('x');
    expect(stage.read('.codey/worktrees/reviewer/where.txt')).toBe(
      `${stage.project}/.codey/worktrees/reviewer\n`,
    );
    const outputs = lines(ran.stdout).flatMap(({ type, agent, output }) =>
      type === 'tool_result' && agent === 'main' ? [output] : [],
    );
    expect(outputs[4]).toBe('1 [completed by writer] write it');
    expect(outputs[6]).toContain('reviewed\n[its worktree');
    expect(stage.has('~/.codey/teams/shop/tasks.jsonl')).toBe(true);
  });
});

describe('a command as the prompt of print mode', () => {
  const team = { agents: { tester: [{ text: 'I tested it' }] } };

  it('does what it does on the screen, in a session that can be gone on with', async () => {
    expect(await run({}, '/peers create shop')).toMatchObject({
      code: 0,
      stdout: 'The team shop is open; you are main in it.\n',
      stderr: '',
    });
    const then = (prompt: string, ...args: string[]) => run(team, prompt, '-continue', ...args);
    expect((await then('/tasks add write it')).stdout).toBe('Task 1: write it · pending\n');
    expect((await then('/tasks claim')).stdout).toBe('Task 1: write it · in progress · main\n');
    expect((await then('/peers tasks complete 1')).stdout).toBe('Task 1: write it · completed · main\n');
    expect((await then('/tasks')).stdout).toBe('1  write it · completed · main\n');
    expect((await then('/peers spawn tester general test it')).stdout).toBe(
      'tester is at work. /agents shows it; its result comes here.\ntester: I tested it\n',
    );
    expect((await then('/peers send tester well done')).stdout).toBe('Sent to tester.\n');
    expect((await then('/peers')).stdout).toBe(
      'main    alive, leads this session, 0 unread\ntester  gone, 1 unread\n',
    );
    expect((await then('/peers history')).stdout).toMatch(/^\S+ \S+ main → tester {2}well done\n$/);
    const json = JSON.parse((await then('/peers inbox', '--output-format', 'json')).stdout);
    expect(json).toMatchObject({ result: 'There is no mail.', is_error: false, stop_reason: 'completed' });
    expect((await then('/peers cleanup')).stdout).toBe('The team shop is removed.\n');
    expect(stage.has('~/.codey/teams/shop')).toBe(false);
  });

  it('lists agents and skills, and asks neither hooks nor the model', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'touch "$HOME/asked"' }] }] },
    });
    stage.write('.codey/skills/ship/SKILL.md', '---\nname: ship\ndescription: Ships it.\n---\nShip.\n');
    const script = { main: [{ text: 'the model' }] };
    expect((await run(script, '/agents')).stdout).toBe(
      'No agent is at work. Kinds of agents: reviewer, general.\n',
    );
    expect((await run(script, '/skills')).stdout).toContain('/ship  Ships it.');
    expect(stage.has('~/asked')).toBe(false);
    // A skill is a prompt, and so is what is a path.
    expect((await run(script, '/ship it')).stdout).toBe('the model\n');
    expect((await run(script, '/etc/hosts is there, why?')).stdout).toBe('the model\n');
    expect(stage.has('~/asked')).toBe(true);
  });

  it('is refused where there is none of that name or it needs a screen, and never sent to the model', async () => {
    const script = { main: [{ text: 'the model' }] };
    const typo = await run(script, '/pears', '--output-format', 'stream-json');
    expect(typo.code).toBe(2);
    expect(typo.stderr).toContain('There is no command /pears; did you mean /peers? /help lists them all.');
    expect(lines(typo.stdout).at(-1)).toMatchObject({ type: 'result', is_error: true, result: '', turns: 0 });
    const screen = await run(script, '/clear');
    expect(screen).toMatchObject({ code: 2, stdout: '' });
    expect(screen.stderr).toContain('/clear needs a screen');
    const none = await run(script, '/tasks add write it');
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain(
      'there is no team in this session yet; create one first (/peers create <name>)',
    );
    const line = await run(script, '!ls');
    expect(line).toMatchObject({ code: 2, stdout: '' });
    expect(line.stderr).toContain('run it in the shell you are in');
    const words = await run(script, '/peers spawn tester');
    expect(words).toMatchObject({ code: 1, stdout: '' });
    expect(words.stderr).toContain('Write /peers spawn <name> <kind> <prompt>.');
  });

  it('lists nothing where there is no team, and says how one is made', async () => {
    for (const words of ['/tasks', '/peers', '/peers tasks'])
      expect(await run({}, words)).toMatchObject({
        code: 0,
        stderr: '',
        stdout: 'There is no team in this session yet; create one first (/peers create <name>).\n',
      });
  });

  it('needs a model only where it asks one', async () => {
    expect(await stage.codey(['-p', '/agents'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: 'No agent is at work. Kinds of agents: reviewer, general.\n',
    });
    expect((await stage.codey(['-p', '/help'])).stdout).toContain('/peers');
    for (const words of ['/fork find it', '/etc/hosts is there, why?'])
      expect(await stage.codey(['-p', words])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('codey: no model: set ANTHROPIC_API_KEY'),
      });
    expect((await stage.codey(['-p', '/pears'])).stderr).toContain('did you mean /peers?');
  });

  it('fails where the agent it started does', async () => {
    await run({}, '/peers create shop');
    const failing = { agents: { tester: [{ error: 'no money' }] } };
    const ran = await run(failing, '/peers spawn tester general test it', '-continue');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('tester failed: no money');
  });
});
