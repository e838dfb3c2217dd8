// Stories of more than one agent, in whole sessions: real hooks and tools, a script for each agent.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalAnswer, ApprovalRequest, Human } from '../src/gate/human.ts';
import { ModelError } from '../src/model/model.ts';
import { knownTools } from '../src/subagents/known-tools.ts';
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
import { buildProgram } from './fixtures/build-program.ts';

let world: AgentsWorld;
beforeEach(() => {
  world = createAgentsWorld();
  world.write('.codey/agents/reviewer.md', '---\ndescription: Reviews.\n---\nYou find mistakes.\n');
});
afterEach(() => world.close());

const command = (line: string, more: object = {}) => ({ type: 'command', command: line, ...more });
const hook = (line: string, matcher?: string) => [{ ...(matcher && { matcher }), hooks: [command(line)] }];
const allowShell = { permissions: { allow: ['run_shell'] } };

function count(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

describe('a subagent', () => {
  it('is started without waiting, answers in its own conversation, and returns its result [codey.herdr.spawn-returns]', async () => {
    const held = gate();
    const { session, told, requests } = await world.open({
      main: [spawn({ agent: 'reviewer', prompt: 'look at a.ts' }), result('reviewer'), { text: 'all fine' }],
      reviewer: [
        async () => {
          await held.opened;
          return { text: 'no mistakes' };
        },
      ],
    });
    session.bus.watch(({ event, tool }) => {
      if (event === 'tool_result' && tool === 'spawn_agent') held.open();
    });
    expect(await session.prompt('review it')).toMatchObject({ stop: 'completed', text: 'all fine' });
    expect(requests('reviewer')[0]).toMatchObject({
      agent: { name: 'reviewer', type: 'reviewer' },
      messages: [{ role: 'user', text: 'look at a.ts' }],
    });
    expect(requests('reviewer')[0]?.system).toContain('You find mistakes.');
    expect(requests('main')[0]?.system).not.toContain('You find mistakes.');
    expect(outputs(requests('main').at(-1)?.messages ?? [])).toEqual([
      'Started reviewer. agent_result waits for what it finds.',
      'no mistakes',
    ]);
    expect(told.filter((line) => line.includes('reviewer'))).toEqual(['turn_start reviewer 1']);
  });

  it('has a name that nobody else in the session has', async () => {
    const { session, requests } = await world.open({
      main: [
        {
          calls: [1, 2, 3].map(() => ({ tool: 'spawn_agent', input: { agent: 'reviewer', prompt: 'look' } })),
        },
        result('reviewer-3'),
        { text: 'done' },
      ],
    });
    await session.prompt('go');
    expect(outputs(requests('main').at(-1)?.messages ?? []).map((text) => text.split('.')[0])).toEqual([
      'Started reviewer',
      'Started reviewer-2',
      'Started reviewer-3',
      'reviewer-3 has nothing to say',
    ]);
  });

  it('fires both subagent events with what they are about [koder.event.subagentstart-before-run] [koder.event.subagentstart-payload] [koder.event.subagentstop-after-run] [koder.event.subagentstop-payload] [koder.event.subagent-on-definition]', async () => {
    world.settings({ hooks: world.askAll(['SubagentStart', 'SubagentStop', 'Stop', 'UserPromptSubmit']) });
    const { session, journal } = await world.open({
      main: [spawn({ agent: 'reviewer' }), result('reviewer'), { text: 'done' }],
      reviewer: [{ text: 'two findings' }],
    });
    await session.prompt('go');
    const asked = world.asked();
    expect(asked.map(({ event, agent_id }) => [event, agent_id].join(' '))).toEqual([
      'UserPromptSubmit main',
      'SubagentStart reviewer',
      'SubagentStop reviewer',
      'Stop main',
    ]);
    expect(asked[1]).toMatchObject({ agent_type: 'reviewer', turn: 1 });
    expect(asked[2]).toMatchObject({
      agent_type: 'reviewer',
      output: 'two findings',
      stop_hook_active: false,
      stop_hook_count: 0,
      turn: 1,
    });
    const order = journal.flatMap((entry) =>
      entry.kind === 'dispatch' || entry.kind === 'lifecycle' ? [`${entry.event} ${entry.agent}`] : [],
    );
    expect(order.indexOf('SubagentStart main')).toBeLessThan(order.indexOf('turn_start reviewer'));
  });

  it('is matched by its type [koder.matcher.agent-type]', async () => {
    world.write('.codey/agents/tester.md', 'You test.');
    world.settings({
      hooks: {
        SubagentStart: hook('echo no reviews >&2; exit 2', 'reviewer'),
        SubagentStop: hook('echo no tests >&2; exit 2', '^tester$'),
      },
    });
    const { session, requests } = await world.open({
      main: [
        spawn({ agent: 'reviewer', name: 'tester' }),
        spawn({ agent: 'tester' }),
        result('tester'),
        { text: 'done' },
      ],
    });
    await session.prompt('go');
    expect(outputs(requests('main').at(-1)?.messages ?? [])).toEqual([
      'The agent was not started: no reviews',
      'Started tester. agent_result waits for what it finds.',
      'The result of tester is withheld by a hook: no tests',
    ]);
  });

  it('is not started when a hook blocks, and its name is free again [koder.event.subagentstart-block]', async () => {
    world.settings({
      hooks: { SubagentStart: hook('test -f "$HOME/go" || { echo not today >&2; exit 2; }') },
    });
    const { session, requests } = await world.open({
      main: [
        spawn({ agent: 'reviewer' }),
        async () => {
          world.write('~/go', '');
          return spawn({ agent: 'reviewer' });
        },
        result('reviewer'),
        { text: 'done' },
      ],
    });
    await session.prompt('go');
    expect(requests('reviewer')).toHaveLength(1);
    expect(outputs(requests('main').at(-1)?.messages ?? [])[0]).toBe('The agent was not started: not today');
  });

  it('keeps its result when a hook blocks, and its starter gets the reason [koder.event.subagentstop-block]', async () => {
    world.settings({ hooks: { SubagentStop: hook('echo "it names customers" >&2; exit 2') } });
    const { session, requests } = await world.open({
      main: [spawn({ agent: 'reviewer' }), result('reviewer'), { text: 'done' }],
      reviewer: [{ text: 'the secret' }],
    });
    await session.prompt('go');
    expect(lastOutput(requests('main').at(-1))).toBe(
      'The result of reviewer is withheld by a hook: it names customers',
    );
    expect(JSON.stringify(requests('main'))).not.toContain('the secret');
    expect(session.agents.list()).toMatchObject([{ name: 'reviewer', state: 'withheld' }]);
  });

  it('is sent back to work by a hook, eight times at most [contract.event.stop-continue]', async () => {
    world.settings({
      hooks: { SubagentStop: hook(`echo '{"decision":"continue","reason":"look again"}'`) },
    });
    const { session, requests } = await world.open({
      main: [spawn({ agent: 'reviewer' }), result('reviewer'), { text: 'done' }],
    });
    await session.prompt('go');
    expect(requests('reviewer')).toHaveLength(8);
    expect(contexts(requests('reviewer').at(-1)?.messages ?? [])).toHaveLength(7);
    expect(lastOutput(requests('main').at(-1))).toMatch(
      /^reviewer failed: SubagentStop hooks sent .* 8 times.*look again/,
    );
  });

  it('gets the context that SubagentStart hooks add', async () => {
    world.settings({
      hooks: { SubagentStart: hook(`echo '{"hookSpecificOutput":{"additionalContext":"mind the gap"}}'`) },
    });
    const { session, requests } = await world.open({
      main: [spawn({ agent: 'reviewer' }), result('reviewer'), { text: 'done' }],
    });
    await session.prompt('go');
    expect(contexts(requests('reviewer')[0]?.messages ?? [])[0]).toContain('mind the gap');
  });

  it('tells its starter when the provider fails, and StopFailure is asked', async () => {
    world.settings({ hooks: world.askAll(['StopFailure']) });
    const { session, requests } = await world.open({
      main: [spawn({ agent: 'reviewer' }), result('reviewer'), { text: 'done' }],
      reviewer: [
        () => {
          throw new Error('the provider is down');
        },
      ],
    });
    await session.prompt('go');
    expect(lastOutput(requests('main').at(-1))).toBe('reviewer failed: the provider is down');
    expect(world.asked()).toMatchObject([{ event: 'StopFailure', agent_id: 'reviewer' }]);
  });

  it('goes on in a compacted conversation where its provider refused it as too long', async () => {
    world.settings({ ...allowShell, hooks: world.askAll(['PreCompact', 'PostCompact']) });
    const tooLong = (): never => {
      throw new ModelError('context-overflow', 'Maker: too long');
    };
    const opened = await world.open({
      main: [spawn({ agent: 'reviewer' }), result('reviewer'), { text: 'done' }],
      reviewer: [call('run_shell', { command: 'seq 500' }), tooLong, { text: 'two findings' }],
      compaction: [{ text: '<summary>It counted.</summary>' }],
    });
    const { session, requests } = opened;
    await session.prompt('go');
    expect(lastOutput(requests('main').at(-1))).toBe('two findings');
    expect(contexts(requests('reviewer').at(-1)?.messages ?? [])[0]).toMatch(/^compaction: It counted\./);
    expect(world.asked().map(({ event, trigger, agent_id }) => [event, trigger, agent_id])).toEqual([
      ['PreCompact', 'auto', 'reviewer'],
      ['PostCompact', 'auto', 'reviewer'],
    ]);
    expect(opened.notices).toEqual([expect.stringMatching(/^reviewer: the conversation was compacted/)]);
  });

  it('whose conversation stays too long tells its starter so, without advice for a person', async () => {
    const { session, requests } = await world.open({
      main: [spawn({ agent: 'reviewer' }), result('reviewer'), { text: 'done' }],
      reviewer: [
        () => {
          throw new ModelError('context-overflow', 'Maker: too long');
        },
      ],
    });
    await session.prompt('go');
    expect(lastOutput(requests('main').at(-1))).toBe(
      'reviewer failed: Maker: too long; it could not be compacted',
    );
  });

  it('that nobody asked brings its result with the next run, once', async () => {
    const { session, requests } = await world.open({
      main: [spawn({ agent: 'reviewer' }), { text: 'started it' }, { text: 'I see' }],
      reviewer: [{ text: 'two findings' }],
    });
    await session.prompt('go');
    await session.agents.settled(new AbortController().signal);
    await session.prompt('and?');
    await session.prompt('and now?');
    const [, , third, last] = requests('main');
    expect(contexts(third?.messages ?? [])).toEqual(['agent reviewer: two findings']);
    expect(contexts(last?.messages ?? [])).toHaveLength(1);
  });

  it("starts others down to a depth, whose results are its own, and its starter's when it is gone", async () => {
    const { session, requests } = await world.open({
      main: [spawn({ name: 'one' }), result('one'), { text: 'done' }, { text: 'more' }],
      one: [spawn({ name: 'two' }), result('two'), { text: 'one is done' }],
      two: [spawn({ name: 'three' }), { text: 'two is done, three is not' }],
      three: [spawn({ name: 'four' }), { text: 'three is done' }],
    });
    await session.prompt('go');
    await session.agents.settled(new AbortController().signal);
    expect(lastOutput(requests('three')[1])).toBe(
      'The agent was not started: agents may be started 3 deep, and this one would be deeper: do the work yourself',
    );
    expect(outputs(requests('one').at(-1)?.messages ?? [])[1]).toBe('two is done, three is not');
    await session.prompt('and?');
    expect(contexts(requests('main').at(-1)?.messages ?? [])).toEqual(['agent three: three is done']);
  });

  it('cannot be asked about by an agent that did not start it', async () => {
    const { session, requests } = await world.open({
      main: [
        spawn({ agent: 'reviewer' }),
        result('nobody'),
        result('reviewer'),
        result('reviewer'),
        { text: 'done' },
      ],
    });
    await session.prompt('go');
    expect(outputs(requests('main').at(-1)?.messages ?? []).slice(1)).toEqual([
      'You have started no agent nobody. Yours are reviewer.',
      'reviewer has nothing to say',
      'You were given the result of reviewer before; there is nothing new from it.',
    ]);
  });

  it('may be given every tool there is by name, and is known by all of them', async () => {
    const { session, requests } = await world.open({ main: [{ text: 'done' }] });
    await session.prompt('go');
    expect(requests('main')[0]?.tools.map(({ name }) => name)).toEqual(knownTools);
    expect(requests('main')[0]?.tools.find(({ name }) => name === 'spawn_agent')?.description).toContain(
      '- reviewer: Reviews.\n- general: ',
    );
  });

  it('of an unknown kind or with a name that is none is refused with what would do', async () => {
    const { session, requests } = await world.open({
      main: [spawn({ agent: 'reviewr' }), spawn({ name: 'a b' }), { text: 'done' }],
    });
    await session.prompt('go');
    expect(outputs(requests('main').at(-1)?.messages ?? [])).toEqual([
      'The agent was not started: there is no agent "reviewr" (did you mean reviewer?)',
      expect.stringContaining('"a b" cannot be the name of an agent'),
    ]);
  });
});

describe('the gate', () => {
  it('asks the hooks about calls of every agent, with its name [contract.gate.every-caller]', async () => {
    world.settings({ ...allowShell, hooks: { ...world.askAll(['PreToolUse', 'PostToolUse']) } });
    const { session, told } = await world.open({
      main: [spawn({ agent: 'reviewer' }), result('reviewer'), { text: 'done' }],
      reviewer: [call('run_shell', { command: 'echo hi' }), { text: 'done' }],
    });
    await session.prompt('go');
    expect(world.asked().filter(({ tool_name }) => tool_name === 'run_shell')).toMatchObject([
      { event: 'PreToolUse', agent_id: 'reviewer', agent_type: 'reviewer', turn: 1 },
      { event: 'PostToolUse', agent_id: 'reviewer', turn: 1 },
    ]);
    expect(told.filter((line) => line.includes(' reviewer'))).toEqual([
      'turn_start reviewer 1',
      'tool_start reviewer 1 run_shell',
      'tool_result reviewer 1 run_shell',
      'turn_start reviewer 2',
    ]);
  });

  it('blocks a subagent as it blocks the main agent [contract.gate.every-caller]', async () => {
    world.settings({ ...allowShell, hooks: { PreToolUse: hook('echo never >&2; exit 2', 'run_shell') } });
    const { session, requests } = await world.open({
      main: [spawn({ agent: 'reviewer' }), result('reviewer'), { text: 'done' }],
      reviewer: [call('run_shell', { command: 'touch ran' }), { text: 'done' }],
    });
    await session.prompt('go');
    expect(lastOutput(requests('reviewer').at(-1))).toBe('never');
    expect(world.has('ran')).toBe(false);
  });

  it('lets a subagent do no more than its starter, whatever its definition says [contract.agent.never-looser]', async () => {
    world.write(
      '~/.codey/agents/wild.md',
      '---\npermissionMode: bypassPermissions\ntools: [run_shell, spawn_agent]\n---\n',
    );
    world.write('~/.codey/agents/narrow.md', '---\ntools: [read_file, spawn_agent, agent_result]\n---\n');
    const { session, requests } = await world.open({
      main: [
        spawn({ agent: 'wild' }),
        result('wild'),
        spawn({ agent: 'narrow' }),
        result('narrow'),
        { text: 'done' },
      ],
      wild: [call('run_shell', { command: 'touch ran' }), { text: 'done' }],
      narrow: [spawn({ agent: 'wild', name: 'inner' }), result('inner'), { text: 'done' }],
      inner: [call('run_shell', { command: 'touch ran' }), { text: 'done' }],
    });
    await session.prompt('go');
    expect(lastOutput(requests('wild').at(-1))).toMatch(
      /run_shell needs approval in mode default; nobody is here/,
    );
    expect(requests('wild')[0]?.tools.map(({ name }) => name)).toEqual(['run_shell', 'spawn_agent']);
    expect(lastOutput(requests('inner').at(-1))).toMatch(/There is no tool run_shell/);
    expect(requests('inner')[0]?.tools.map(({ name }) => name)).toEqual(['spawn_agent']);
    expect(world.has('ran')).toBe(false);
  });

  it('holds a subagent to a stricter mode of its own [contract.agent.never-looser]', async () => {
    world.write('~/.codey/agents/planner.md', '---\npermissionMode: plan\nisolation: worktree\n---\n');
    world.write('~/.codey/agents/reader.md', '---\npermissionMode: plan\n---\n');
    world.settings({ permissions: { mode: 'bypassPermissions' } });
    const { session, requests } = await world.open({
      main: [spawn({ agent: 'planner' }), spawn({ agent: 'reader' }), result('reader'), { text: 'done' }],
      reader: [call('write_file', { path: 'a', content: 'b' }), { text: 'done' }],
    });
    await session.prompt('go');
    expect(lastOutput(requests('reader').at(-1))).toMatch(/in mode plan only reading runs/);
    expect(outputs(requests('main').at(-1)?.messages ?? [])[0]).toMatch(
      /in mode plan only reading runs, and a worktree/,
    );
  });
});

describe('hooks of a definition', () => {
  it('are in force for that agent and no other, while it runs', async () => {
    world.write(
      '~/.codey/agents/careful.md',
      [
        '---',
        'hooks:',
        '  PreToolUse: [{matcher: run_shell, hooks: [{type: command, command: "echo careful >&2; exit 2"}]}]',
        '  SubagentStart: [{hooks: [{type: command, command: "echo start >> $HOME/own"}]}]',
        '  turn_start: ["echo turn of $CODEY_AGENT >> $HOME/own"]',
        '---',
      ].join('\n'),
    );
    world.settings(allowShell);
    const shell = call('run_shell', { command: 'echo ran' });
    const { session, requests } = await world.open({
      main: [spawn({ agent: 'careful' }), shell, result('careful'), shell, { text: 'done' }],
      careful: [shell, { text: 'done' }],
    });
    await session.prompt('go');
    expect(lastOutput(requests('careful').at(-1))).toBe('careful');
    expect(outputs(requests('main').at(-1)?.messages ?? []).filter((text) => text === 'ran')).toHaveLength(2);
    expect(world.read('~/own')).toBe('start\nturn of careful\nturn of careful\n');
  });
});

describe('people', () => {
  /** Answers when the test says so; keeps what it was asked. */
  function person() {
    const asked: ApprovalRequest[] = [];
    const answers = new Map<string, (answer: ApprovalAnswer) => void>();
    const human: Human = {
      approve: (request, signal) =>
        new Promise((resolve, reject) => {
          asked.push(request);
          answers.set(request.agent.name, resolve);
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
      answer: () => Promise.reject(new Error('no question is expected')),
    };
    return { asked, human, answer: (agent: string, answer: ApprovalAnswer) => answers.get(agent)?.(answer) };
  }

  it('are asked in the name of each agent, also long after the one that started them went quiet [codey.herdr.subagent-prompt-counts] [codey.blocked.unblocks-once]', async () => {
    const { asked, human, answer } = person();
    const held = gate();
    const shell = (name: string) => [
      async () => {
        await held.opened;
        return call('run_shell', { command: `touch ${name}` });
      },
      { text: `${name} done` },
    ];
    const both = ['one', 'two'].map((name) => ({ tool: 'spawn_agent', input: { name, prompt: 'go' } }));
    const { session, told } = await world.open(
      { main: [{ calls: both }, { text: 'started' }], one: shell('one'), two: shell('two') },
      { human },
    );
    await session.prompt('go');
    expect(told.at(-1)).toBe('run_end main   completed');
    held.open();
    await expect.poll(() => asked.length).toBe(2);
    expect(asked.map(({ agent, message }) => [agent.name, agent.type, message])).toEqual([
      ['one', 'general', 'bash: touch one'],
      ['two', 'general', 'bash: touch two'],
    ]);
    answer('two', { kind: 'once' });
    await expect
      .poll(() => told.filter((line) => line.startsWith('unblocked')))
      .toEqual(['unblocked two 1 run_shell approved']);
    answer('one', { kind: 'deny' });
    await session.agents.settled(new AbortController().signal);
    expect(told.filter((line) => /blocked one/.test(line))).toEqual([
      'blocked one 1 run_shell approval',
      'unblocked one 1 run_shell denied',
    ]);
    expect([world.has('one'), world.has('two')]).toEqual([false, true]);
  });

  it('cancel one agent or all of them; prompts and commands of theirs end with them', async () => {
    const { asked, human } = person();
    world.settings({ permissions: { allow: ['run_shell(sleep*)'] } });
    const { session, told } = await world.open(
      {
        main: [
          {
            calls: ['asks', 'sleeps'].map((name) => ({ tool: 'spawn_agent', input: { name, prompt: 'go' } })),
          },
          { text: 'started' },
        ],
        asks: [call('run_shell', { command: 'touch ran' }), { text: 'done' }],
        sleeps: [call('run_shell', { command: 'sleep 300' }), { text: 'done' }],
      },
      { human },
    );
    await session.prompt('go');
    await expect.poll(() => asked.length).toBe(1);
    expect(session.agents.cancel('asks')).toBe(true);
    await expect.poll(() => told).toContain('unblocked asks 1 run_shell interrupted');
    await expect.poll(() => told).toContain('tool_start sleeps 1 run_shell');
    session.agents.cancelAll();
    await session.agents.settled(new AbortController().signal);
    expect(told).toContain('tool_result sleeps 1 run_shell  cancelled');
    expect(session.agents.list().map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
    expect(session.agents.takeResults().map(({ text }) => text)).toEqual([
      'asks was cancelled before it had a result.',
      'sleeps was cancelled before it had a result.',
    ]);
  });

  it('may leave while agents work: everything that was open is closed [codey.blocked.unblocks-once]', async () => {
    const { asked, human } = person();
    const { session, told } = await world.open(
      {
        main: [spawn({ name: 'asks' }), { text: 'started' }],
        asks: [call('run_shell', { command: 'touch ran' })],
      },
      { human },
    );
    await session.prompt('go');
    await expect.poll(() => asked.length).toBe(1);
    await leave(session);
    expect(told.slice(-2)).toEqual(['unblocked asks 1 run_shell closed', 'session_end main   exit']);
    expect(await session.agents.spawn({ type: 'reviewer', prompt: 'x' })).toEqual({
      kind: 'refused',
      reason: 'the session is being closed',
    });
  });

  it('interrupt a run and leave the agents it started at work', async () => {
    const held = gate();
    const { session } = await world.open({
      main: [spawn({ name: 'slow' }), result('slow'), { text: 'never' }],
      slow: [
        async () => {
          await held.opened;
          return { text: 'slow is done' };
        },
      ],
    });
    session.bus.watch(({ event, tool }) => {
      if (event === 'tool_start' && tool === 'agent_result') session.interrupt();
    });
    expect(await session.prompt('go')).toMatchObject({ stop: 'interrupted' });
    expect(session.agents.list()).toMatchObject([{ name: 'slow', state: 'working' }]);
    held.open();
    await session.agents.settled(new AbortController().signal);
    expect(session.agents.takeResults()).toMatchObject([{ name: 'slow', text: 'slow is done' }]);
  });
});

describe('the user starts agents', () => {
  it('with /fork, with or without the conversation so far [koder.event.subagent-on-fork]', async () => {
    world.settings({ hooks: world.askAll(['SubagentStart', 'SubagentStop', 'UserPromptSubmit']) });
    const { session, requests, told } = await world.open({
      main: [{ text: 'hello' }, { text: 'I see' }],
      fork: [{ text: 'fork of the talk' }],
      'fork-2': [{ text: 'fork from nothing' }],
    });
    await session.prompt('hi');
    const started = await Promise.all([
      session.agents.fork({ prompt: 'go on', context: true }),
      session.agents.fork({ prompt: 'look', context: false }),
    ]);
    expect(started).toEqual([
      { kind: 'started', name: 'fork' },
      { kind: 'started', name: 'fork-2' },
    ]);
    await session.agents.settled(new AbortController().signal);
    expect(requests('fork')[0]?.messages).toEqual([
      { role: 'user', text: 'hi' },
      { role: 'assistant', text: 'hello', calls: [] },
      { role: 'user', text: 'go on' },
    ]);
    expect(requests('fork-2')[0]?.messages).toEqual([{ role: 'user', text: 'look' }]);
    expect(count(world.asked().map(({ event }) => String(event)))).toEqual({
      UserPromptSubmit: 1,
      SubagentStart: 2,
      SubagentStop: 2,
    });
    expect(told.filter((line) => line.startsWith('run_'))).toHaveLength(2);
    await session.prompt('and?');
    expect(contexts(requests('main').at(-1)?.messages ?? [])).toHaveLength(2);
    expect(await session.agents.fork({ prompt: '', context: false })).toMatchObject({ kind: 'refused' });
  });

  it('with @agent in a prompt; the main agent answers when they have [koder.event.subagent-on-mention]', async () => {
    world.write('.codey/agents/tester.md', 'You test.');
    world.settings({ hooks: world.askAll(['SubagentStart', 'SubagentStop']) });
    const { session, requests, told } = await world.open({
      main: [{ text: 'both agree' }],
      reviewer: [{ text: 'reviewed' }],
      tester: [{ text: 'tested' }],
    });
    const outcome = await session.prompt('@reviewer and @tester, is it fine?');
    expect(outcome).toMatchObject({ stop: 'completed', text: 'both agree' });
    expect([...contexts(requests('main')[0]?.messages ?? [])].sort()).toEqual([
      'agent reviewer: reviewed',
      'agent tester: tested',
    ]);
    expect(world.asked()).toHaveLength(4);
    const order = told.map((line) => line.split(' ').slice(0, 2).join(' '));
    expect(order.indexOf('run_start main')).toBeLessThan(order.indexOf('turn_start reviewer'));
    expect(order.indexOf('turn_start tester')).toBeLessThan(order.indexOf('turn_start main'));
  });

  it('with --agent, whose answer is that of the run and who knows what was said before [koder.event.subagent-on-definition]', async () => {
    world.settings({ hooks: world.askAll(['SubagentStart', 'SubagentStop']) });
    const { session, requests } = await world.open(
      { reviewer: [{ text: 'first answer' }], 'reviewer-2': [{ text: 'second answer' }] },
      { agent: 'reviewer' },
    );
    expect(await session.prompt('one')).toMatchObject({ stop: 'completed', text: 'first answer' });
    expect(await session.prompt('two')).toMatchObject({ stop: 'completed', text: 'second answer' });
    expect(requests('main')).toEqual([]);
    expect(requests('reviewer-2')[0]?.messages).toEqual([
      { role: 'user', text: 'one' },
      { role: 'assistant', text: 'first answer', calls: [] },
      { role: 'user', text: 'two' },
    ]);
    expect(world.asked()).toHaveLength(4);
  });

  it('with --agent, and an interrupt of the run ends that agent', async () => {
    const { session } = await world.open(
      { reviewer: [() => new Promise<never>(() => {})] },
      { agent: 'reviewer' },
    );
    session.bus.watch(({ event, agent }) => {
      if (event === 'turn_start' && agent === 'reviewer') session.interrupt();
    });
    expect(await session.prompt('one')).toMatchObject({ stop: 'interrupted' });
    await session.agents.settled(new AbortController().signal);
    expect(session.agents.list()).toMatchObject([{ name: 'reviewer', state: 'cancelled' }]);
  });
});

describe('fifty agents in one session', () => {
  it('leave nothing of their conversations behind', async () => {
    const { session } = await world.open({
      main: [{ text: 'ready' }],
      general: [call('read_file', { path: 'nothing' }), { text: 'x'.repeat(10_000) }],
    });
    await session.prompt('hi');
    for (let at = 0; at < 50; at++) {
      expect(await session.agents.spawn({ type: 'general', prompt: 'look' })).toMatchObject({
        kind: 'started',
      });
    }
    await session.agents.settled(new AbortController().signal);
    expect([...session.state().messages.keys()]).toEqual(['main']);
    expect(session.state().agents.size).toBe(50);
    expect(session.state().openRuns.size).toBe(0);
    expect(session.agents.takeResults()).toHaveLength(50);
  });

  it('take no memory when they are gone, whatever they said', async () => {
    const program = await buildProgram('fifty-agents', world.home);
    const argv = ['--expose-gc', program, world.home, world.project];
    const { stdout } = await promisify(execFile)(process.execPath, argv);
    const { before, after, said } = JSON.parse(stdout);
    expect(said).toBeGreaterThan(50e6);
    // What ten left is warm code and lists; a tenth of what fifty said would be many times more than they may leave.
    expect(after - before).toBeLessThan(said / 10);
  });

  it('are not more than may work at once', async () => {
    const held = gate();
    const { session } = await world.open({
      general: [
        async () => {
          await held.opened;
          return { text: 'done' };
        },
      ],
    });
    const started = await Promise.all(
      Array.from({ length: 66 }, () => session.agents.spawn({ type: 'general', prompt: 'look' })),
    );
    const refused = started.filter(({ kind }) => kind === 'refused');
    const full = {
      kind: 'refused',
      reason: '64 agents are at work, which is the most at once: wait for one with agent_result',
    };
    expect(refused).toEqual([full, full]);
    held.open();
    await session.agents.settled(new AbortController().signal);
  });
});
