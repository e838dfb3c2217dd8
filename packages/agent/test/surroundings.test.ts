// Whole sessions and what is around their conversation: watched files, directories, compaction, saved settings, servers.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveSession } from '../src/live-session.ts';
import { parseDefinition } from '../src/mcp/definition.ts';
import type { FormAnswer, FormPort } from '../src/mcp/form-port.ts';
import { type Message, type Model, ModelError, type ModelRequest } from '../src/model/model.ts';
import { createMemorySession, type Session } from '../src/session/session.ts';
import { openSessionStore } from '../src/session/store.ts';
import { type Answer, modelOf, openWholeSession, type WholeSessionOptions } from './whole-session.ts';

const mcpServer = fileURLToPath(new URL('fixtures/mcp-server.mjs', import.meta.url));

let root: string;
let project: string;
let home: string;
let open: LiveSession | undefined;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'surroundings-')));
  project = join(root, 'project');
  home = join(root, 'home');
  await mkdir(join(project, '.codey'), { recursive: true });
  await mkdir(join(home, '.codey'), { recursive: true });
});

afterEach(async () => {
  await close();
  await rm(root, { recursive: true, force: true });
});

async function close(): Promise<void> {
  await open?.close({ reason: 'exit', hurry: new AbortController().signal });
  open = undefined;
}

const command = (line: string, more: object = {}) => ({
  hooks: [{ type: 'command', command: line }],
  ...more,
});
const print = (output: object) => `echo '${JSON.stringify({ hookSpecificOutput: output })}'`;
/** Appends what the hook reads on stdin to a file of the home. */
const note = (file = 'told') => `cat >> "$HOME/${file}"`;
const told = (file = 'told'): readonly Record<string, unknown>[] =>
  existsSync(join(home, file))
    ? readFileSync(join(home, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];
const hooks = (events: Readonly<Record<string, unknown>>) =>
  writeFile(
    join(home, '.codey/settings.json'),
    JSON.stringify({ permissions: { mode: 'bypassPermissions' }, hooks: events }),
  );

const shell = (line: string): Answer => ({ calls: [{ tool: 'run_shell', input: { command: line } }] });

/** A session whose main agent gives these answers and is done after them; `asked` keeps what the model saw. */
async function start(
  answers: readonly (Answer | ((request: ModelRequest) => Answer | Promise<Answer>))[],
  more: Partial<WholeSessionOptions> = {},
) {
  const asked: ModelRequest[] = [];
  const summaries: ModelRequest[] = [];
  const model = modelOf((request) => {
    const seen = { ...request, messages: [...request.messages] };
    if (request.agent.name === 'compaction') {
      summaries.push(seen);
      return { text: '<summary>What was done.</summary>' };
    }
    const answer = answers[asked.push(seen) - 1] ?? { text: 'done' };
    return typeof answer === 'function' ? answer(request) : answer;
  });
  const opened = await openWholeSession({ projectRoot: project, home, model, ...more });
  if (opened.started.kind !== 'open') throw new Error(opened.started.reason);
  open = opened.started.session;
  return { ...opened, session: open, asked, summaries };
}

const contextsOf = (request: ModelRequest | undefined): readonly Message[] =>
  request?.messages.filter(({ role }) => role === 'context') ?? [];
const toldOnly = (field: string, file?: string) => told(file).map((payload) => payload[field]);

describe('watched files', () => {
  const changed = { FileChanged: [command(note())] };

  it('are told of between two turns, with what the hooks say to the model [koder.watchpaths.from-sessionstart] [koder.event.filechanged-between-turns] [koder.event.filechanged-payload]', async () => {
    await writeFile(join(project, 'spec.md'), 'one');
    await hooks({
      SessionStart: [command(print({ watchPaths: ['spec.md'] }))],
      FileChanged: [command(`${note()}; ${print({ additionalContext: 'the specification changed' })}`)],
    });
    const { session, asked } = await start([
      { calls: [shell('echo two > spec.md').calls?.[0], shell('cat "$HOME/told" 2>&1').calls?.[0]] as never },
      shell('echo again > other.md'),
    ]);
    await session.prompt('go');
    expect(told()).toMatchObject([
      { event: 'FileChanged', file_path: join(project, 'spec.md'), project_dir: project, turn: 1 },
    ]);
    // Within the turn nobody had been told yet.
    expect(asked[1]?.messages.filter(({ role }) => role === 'tool').at(-1)).toMatchObject({ failed: true });
    expect(contextsOf(asked[1])).toEqual([
      {
        role: 'context',
        text: 'the specification changed',
        source: expect.stringMatching(/^FileChanged hook .*settings\.json:1$/),
      },
    ]);
    expect(contextsOf(asked[2])).toHaveLength(1);
  });

  it('are told of before the next prompt as well, where they changed in between', async () => {
    await writeFile(join(project, 'spec.md'), 'one');
    await hooks({ SessionStart: [command(print({ watchPaths: ['spec.md'] }))], ...changed });
    const { session } = await start([]);
    await session.prompt('go');
    await writeFile(join(project, 'spec.md'), 'two');
    expect(told()).toEqual([]);
    await session.prompt('go on');
    expect(toldOnly('file_path')).toEqual([join(project, 'spec.md')]);
  });

  it.each(['InstructionsLoaded', 'CwdChanged'])(
    'may be named by %s hooks [koder.watchpaths.from-instructionsloaded] [koder.watchpaths.from-cwdchanged]',
    async (event) => {
      await writeFile(join(project, 'AGENTS.md'), 'be kind');
      await mkdir(join(project, 'docs'));
      await hooks({ [event]: [command(print({ watchPaths: ['spec.md'] }))], ...changed });
      const { session } = await start([]);
      await session.surroundings.changeDirectory('docs');
      await writeFile(join(project, 'spec.md'), 'new');
      await session.prompt('go');
      expect(toldOnly('file_path')).toEqual([join(project, 'spec.md')]);
    },
  );

  it('may end the run [contract.output.continue-false]', async () => {
    await hooks({
      SessionStart: [command(print({ watchPaths: ['stop'] }))],
      FileChanged: [command(`echo '{"continue": false, "stopReason": "somebody wants us to stop"}'`)],
    });
    const { session, asked } = await start([shell('touch stop')]);
    expect(await session.prompt('go')).toMatchObject({ stop: 'halted', error: 'somebody wants us to stop' });
    expect(asked).toHaveLength(1);
  });
});

describe('the working directory', () => {
  it('is another one for everything that follows, and the hooks are told [koder.event.cwdchanged-on-change] [koder.event.cwdchanged-payload]', async () => {
    await mkdir(join(project, 'docs'));
    await writeFile(join(project, 'docs/AGENTS.md'), 'Write plainly.');
    await hooks({
      CwdChanged: [command(`${note()}; ${print({ additionalContext: 'in the docs now' })}`)],
      InstructionsLoaded: [command(note('loaded'))],
    });
    const { session, asked } = await start([shell('pwd')]);
    expect(await session.surroundings.changeDirectory('docs')).toEqual({
      kind: 'moved',
      cwd: join(project, 'docs'),
    });
    await session.prompt('where are you?');
    expect(told()).toMatchObject([{ event: 'CwdChanged', old_cwd: project, cwd: join(project, 'docs') }]);
    expect(told('loaded')).toMatchObject([
      { reason: 'cwd_changed', file_path: join(project, 'docs/AGENTS.md') },
    ]);
    expect(asked[0]?.system).toContain(`Current directory: ${join(project, 'docs')}`);
    expect(asked[0]?.system).toContain('Write plainly.');
    expect(contextsOf(asked[0])).toMatchObject([{ text: 'in the docs now' }]);
    expect(asked[1]?.messages.at(-1)).toMatchObject({ role: 'tool', output: join(project, 'docs') });
    expect(session.state().cwd).toBe(join(project, 'docs'));
  });

  it('is refused where it is no directory or lies outside', async () => {
    await hooks({ CwdChanged: [command(note())] });
    const { session } = await start([]);
    for (const target of ['gone', '..', '/'])
      expect(await session.surroundings.changeDirectory(target)).toMatchObject({ kind: 'refused' });
    expect(await session.surroundings.changeDirectory('.')).toEqual({ kind: 'moved', cwd: project });
    expect(told()).toEqual([]);
  });

  it('is told of when a resumed session goes back to the one it had [koder.event.cwdchanged-on-resume]', async () => {
    await mkdir(join(project, 'docs'));
    await hooks({ CwdChanged: [command(note())], SessionStart: [command(note())] });
    await start([], { source: 'resume', cwd: join(project, 'docs'), startedIn: project });
    expect(told().map(({ event, old_cwd, cwd }) => [event, old_cwd, cwd])).toEqual([
      ['SessionStart', undefined, join(project, 'docs')],
      ['CwdChanged', project, join(project, 'docs')],
    ]);
  });
});

describe('compaction', () => {
  const both = (more = '') => ({
    PreCompact: [command(`${note()}${more}`)],
    PostCompact: [command(note())],
  });

  it('by hand asks before, tells after, and keeps what is newest [koder.event.compact-trigger-manual] [koder.event.precompact-before] [koder.event.postcompact-after] [koder.event.compact-payload] [koder.matcher.compaction-trigger]', async () => {
    await hooks({
      PreCompact: [command(note(), { matcher: 'manual' }), command(note('never'), { matcher: 'auto' })],
      PostCompact: [
        command(`${note()}; ${print({ additionalContext: 'remember the milk' })}`, { matcher: 'manual' }),
      ],
    });
    const { session, asked, summaries } = await start([
      shell('echo one'),
      { text: `first ${'x'.repeat(4_000)}` },
      { text: 'second' },
    ]);
    await session.prompt('the first thing');
    await session.prompt('the second thing');
    const result = await session.surroundings.compact('keep the names');
    expect(result).toMatchObject({ kind: 'compacted', before: { messages: 6 } });
    if (result.kind !== 'compacted') throw new Error(result.kind);
    const { before, after } = result;
    const stats = { trigger: 'manual', tokens_before: before.tokens, messages_before: before.messages };
    expect(told()).toMatchObject([
      { event: 'PreCompact', session_id: session.id, ...stats },
      {
        event: 'PostCompact',
        session_id: session.id,
        ...stats,
        tokens_after: after.tokens,
        messages_after: after.messages,
      },
    ]);
    expect(told('never')).toEqual([]);
    expect(summaries[0]?.messages[0]).toMatchObject({
      role: 'user',
      text: expect.stringMatching(/the first thing[\s\S]*keep the names$/),
    });
    await session.prompt('go on');
    expect(asked.at(-1)?.messages).toEqual([
      { role: 'context', source: 'compaction', text: 'What was done.' },
      { role: 'user', text: 'the second thing' },
      { role: 'assistant', text: 'second', calls: [] },
      {
        role: 'context',
        text: 'remember the milk',
        source: expect.stringMatching(/^PostCompact hook .*settings\.json:1$/),
      },
      { role: 'user', text: 'go on' },
    ]);
    expect(asked.at(-1)?.system).toBe(asked[0]?.system);
  });

  it('that a hook blocks leaves every message where it is [koder.event.precompact-block]', async () => {
    await hooks(both('; echo "not now" >&2; exit 2'));
    const { session } = await start([]);
    await session.prompt('hello');
    const before = session.state().messages.get('main');
    expect(await session.surroundings.compact('')).toMatchObject({ kind: 'blocked', reason: 'not now' });
    expect(session.state().messages.get('main')).toEqual(before);
    expect(toldOnly('event')).toEqual(['PreCompact']);
  });

  it.each([
    ['is empty', { text: ' ' }],
    ['does not come to an end', { text: '<summary>What was' }],
    ['calls a tool', shell('true')],
  ] as const)('whose summary %s changes nothing', async (why, answer) => {
    await hooks(both());
    const model: Model = modelOf(({ agent }) => (agent.name === 'compaction' ? answer : { text: 'done' }));
    const { session } = await start([], { model });
    await session.prompt('hello');
    const before = session.state().messages.get('main');
    expect(await session.surroundings.compact('')).toEqual({
      kind: 'unchanged',
      why: `The conversation was not compacted: the summary ${why}.`,
    });
    expect(session.state().messages.get('main')).toEqual(before);
    expect(toldOnly('event')).toEqual(['PreCompact']);
  });

  it('changes nothing where the provider fails or there is nothing yet', async () => {
    await hooks(both());
    const model: Model = modelOf(({ agent }) => {
      if (agent.name === 'compaction') throw new Error('the provider is on fire');
      return { text: 'done' };
    });
    const { session } = await start([], { model });
    expect(await session.surroundings.compact('')).toMatchObject({ kind: 'unchanged' });
    await session.prompt('hello');
    expect(await session.surroundings.compact('')).toMatchObject({
      why: expect.stringContaining('the provider is on fire'),
    });
  });

  it('waits for no run: one that is under way is not touched', async () => {
    await hooks(both());
    let result: unknown;
    const { session } = await start([
      async () => {
        result = await session.surroundings.compact('');
        return { text: 'done' };
      },
    ]);
    await session.prompt('hello');
    expect(result).toMatchObject({ kind: 'unchanged' });
    expect(told()).toEqual([]);
  });

  /** A model with a small window that says how full it is. */
  function filling(tokens: readonly number[]): Model {
    let call = 0;
    return {
      id: 'test/small',
      contextWindow: 1_000,
      async *stream({ agent }) {
        const input = tokens[call] ?? 10;
        if (agent.name === 'compaction') yield { kind: 'text', text: 'What was done.' };
        else {
          call += 1;
          if (call < tokens.length)
            yield {
              kind: 'call',
              call: { id: `call_${call}`, tool: 'run_shell', input: { command: `echo ${'y'.repeat(400)}` } },
            };
          else yield { kind: 'text', text: 'done' };
        }
        yield { kind: 'finish', reason: 'stop', usage: { input, output: 0 } };
      },
    };
  }

  it('comes by itself before the window is full, and the run goes on [koder.event.compact-trigger-auto]', async () => {
    await hooks(both());
    const { session, notices } = await start([], { model: filling([100, 850, 100]) });
    expect(await session.prompt('go')).toMatchObject({ stop: 'completed' });
    expect(told().map(({ event, trigger, agent_id }) => [event, trigger, agent_id])).toEqual([
      ['PreCompact', 'auto', 'main'],
      ['PostCompact', 'auto', 'main'],
    ]);
    expect(notices).toEqual([expect.stringContaining('the conversation was compacted')]);
    const [first, second] = session.state().messages.get('main') ?? [];
    expect(first).toMatchObject({
      source: 'compaction',
      text: "What was done.\n\nThe user's last message, word for word:\ngo",
    });
    expect(second).toMatchObject({ role: 'assistant', calls: [{ id: 'call_2' }] });
  });

  it('that a hook never lets happen ends the run at the limit, naming the hook [koder.event.precompact-block]', async () => {
    await hooks(both('; echo "not now" >&2; exit 2'));
    const { session, journal } = await start([], { model: filling([100, 850, 960, 970]) });
    expect(await session.prompt('go')).toMatchObject({ stop: 'halted', error: 'not now' });
    expect(toldOnly('event')).toEqual(['PreCompact', 'PreCompact']);
    expect(journal).toContainEqual(
      expect.objectContaining({ event: 'run_end', reason: 'error', error: 'ended by hook settings.json:1' }),
    );
  });
});

describe('a conversation that the provider refuses as too long', () => {
  const tooLong = (): never => {
    throw new ModelError('context-overflow', 'Maker: too long');
  };

  it('is compacted once in each turn that is refused', async () => {
    await hooks({ PreCompact: [command(note())] });
    const long = shell('seq 500');
    const { session, asked, summaries } = await start([long, tooLong, long, tooLong, { text: 'there' }]);
    expect(await session.prompt('go')).toMatchObject({ stop: 'completed', text: 'there', turns: 3 });
    expect(summaries).toHaveLength(2);
    expect(toldOnly('turn')).toEqual([2, 3]);
    // The first summary is part of what the second one replaces.
    expect(JSON.stringify(summaries[1]?.messages)).toContain('What was done.');
    expect(asked.at(-1)?.messages).toHaveLength(1);
  });

  it('stays as it was where the run is interrupted meanwhile', async () => {
    await hooks({});
    let asked = 0;
    const model = modelOf((request) => {
      if (request.agent.name === 'compaction') {
        return new Promise<never>(() => setImmediate(() => session.interrupt()));
      }
      asked += 1;
      return asked === 1 ? shell('seq 500') : tooLong();
    });
    const { session, notices } = await start([], { model });
    expect(await session.prompt('go')).toMatchObject({ stop: 'interrupted' });
    expect(asked).toBe(2);
    expect(session.state().messages.get('main')).toHaveLength(3);
    expect(notices).toEqual(['The conversation was not compacted: it was interrupted.']);
  });
});

describe('a resumed session of five thousand messages', () => {
  it('goes on with all of them, compacted or not', async () => {
    const store = openSessionStore({
      projectRoot: project,
      home,
      pid: process.pid,
      now: Date.now,
      onNotice: () => {},
    });
    const stored = await store.create(project);
    stored.append({ kind: 'opened', source: 'startup', model: 'test/model', cwd: project });
    for (let n = 0; n < 2_500; n += 1) {
      stored.append({ kind: 'prompt', agent: 'main', text: `question ${n}`, from: { kind: 'user' } });
      stored.append({
        kind: 'answer',
        agent: 'main',
        text: `answer ${n}`,
        calls: [],
        usage: { input: 1, output: 1 },
        from: { kind: 'model', model: 'test/model' },
      });
    }
    await stored.close('exit');
    const reopen = async (): Promise<Session> => {
      const opened = await store.open(stored.id);
      if (opened.kind !== 'opened') throw new Error(opened.message);
      return opened.session;
    };
    await hooks({});
    const first = await start([{ text: 'answer 2500' }], { source: 'resume', stored: await reopen() });
    await first.session.prompt('question 2500');
    expect(first.asked[0]?.messages).toHaveLength(5_001);
    expect(await first.session.surroundings.compact('')).toMatchObject({
      kind: 'compacted',
      before: { messages: 5_002 },
    });
    const kept = first.session.state().messages.get('main');
    await close();
    const second = await start([], { source: 'resume', stored: await reopen() });
    expect(second.session.state().messages.get('main')).toEqual(kept);
    await second.session.prompt('and now?');
    expect(second.asked[0]?.messages.slice(0, -1)).toEqual(kept);
  });
});

describe('text of hooks for the model', () => {
  it('comes once, in order, with its source, never as the user’s words, and again after a resume without the hooks [contract.output.additional-context]', async () => {
    await hooks({
      SessionStart: [command(`${note()}; echo start one`), command('echo start two')],
      UserPromptSubmit: [command(`${note()}; ${print({ additionalContext: 'prompt one' })}`)],
      PostToolUse: [command(print({ additionalContext: 'after the call' }))],
    });
    const memory = createMemorySession('resumed', Date.now);
    const stored: Session = { ...memory, close: async () => {} };
    const { session, asked } = await start([shell('echo hi')], { stored });
    await session.prompt('go');
    const last = asked[1]?.messages ?? [];
    expect(last.map(({ role }) => role)).toEqual([
      'context',
      'context',
      'user',
      'context',
      'assistant',
      'tool',
      'context',
    ]);
    expect(
      contextsOf(asked[1]).map((message) =>
        message.role === 'context' ? [message.text.trim(), message.source] : [],
      ),
    ).toEqual([
      ['start one', expect.stringMatching(/^SessionStart hook .*settings\.json:1$/)],
      ['start two', expect.stringMatching(/^SessionStart hook .*settings\.json:1$/)],
      ['prompt one', expect.stringMatching(/^UserPromptSubmit hook .*settings\.json:1$/)],
      ['after the call', expect.stringMatching(/^run_shell hook .*settings\.json:1$/)],
    ]);
    await close();
    await hooks({ SessionStart: [command(`${note('second')}`)] });
    const again = await start([], { stored, source: 'resume' });
    await again.session.prompt('go on');
    expect(again.asked[0]?.messages.slice(0, last.length)).toEqual(last);
    expect(contextsOf(again.asked[0])).toHaveLength(4);
    expect(toldOnly('event')).toEqual(['SessionStart', 'UserPromptSubmit']);
    expect(told('second')).toMatchObject([{ event: 'SessionStart', source: 'resume' }]);
  });
});

describe('a setting that is saved', () => {
  it('counts when its hooks passed, from the next model call on [contract.event.configchange-effect] [koder.event.configchange-on-save]', async () => {
    await hooks({ ConfigChange: [command(note(), { matcher: 'user_settings' })] });
    const { session, asked } = await start([]);
    await session.prompt('before');
    expect(await session.surroundings.useBrief(true)).toMatchObject({ kind: 'saved' });
    await session.prompt('after');
    expect(asked.map(({ system }) => system.includes('asked for brief answers'))).toEqual([false, true]);
    expect(told()).toMatchObject([
      { event: 'ConfigChange', source: 'user_settings', file_path: join(home, '.codey/settings.json') },
    ]);
    expect(JSON.parse(await readFile(join(home, '.codey/settings.json'), 'utf8'))).toMatchObject({
      brief: true,
    });
  });

  it('counts for nothing where a hook blocks it [koder.event.configchange-block] [contract.event.configchange-effect]', async () => {
    await hooks({ ConfigChange: [command('echo "settings are frozen" >&2; exit 2')] });
    const before = await readFile(join(home, '.codey/settings.json'));
    const { session, asked } = await start([]);
    expect(await session.surroundings.useBrief(true)).toMatchObject({
      kind: 'blocked',
      reason: 'settings are frozen',
    });
    expect(session.surroundings.brief).toBe(false);
    await session.prompt('go');
    expect(asked[0]?.system).not.toContain('asked for brief answers');
    expect(await readFile(join(home, '.codey/settings.json'))).toEqual(before);
  });
});

describe('MCP servers', () => {
  const mcp = (args: readonly string[] = [], forms?: FormPort): Partial<WholeSessionOptions> => ({
    mcp: {
      definitions: [
        parseDefinition(
          'test',
          { command: process.execPath, args: [mcpServer, ...args] },
          { place: 'settings.json', fromRepository: false, environment: {} },
        ),
      ],
      program: { name: 'codey', version: '0.0.0' },
      ...(forms !== undefined && { forms }),
    },
  });
  const call = (tool: string, input: object): Answer => ({
    calls: [{ tool: `mcp__test__${tool}`, input: input as Readonly<Record<string, unknown>> }],
  });
  const request = {
    message: 'Delete it?\nReally?',
    requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
  };
  const lastResult = ({ messages }: ModelRequest) => messages.findLast((message) => message.role === 'tool');

  it('are ready for the first turn, and their calls go through the one gate [contract.gate.every-caller] [koder.event.pretooluse-before-call]', async () => {
    await hooks({
      PreToolUse: [
        {
          matcher: '^mcp__test__',
          hooks: [
            { type: 'command', command: note() },
            { type: 'command', if: 'mcp__test__echo(/etc/*)', command: 'echo "not there" >&2; exit 2' },
          ],
        },
      ],
    });
    const { session, asked } = await start(
      [call('echo', { text: 'hello' }), call('echo', { path: '/etc/passwd', text: 'x' })],
      mcp(),
    );
    await session.prompt('go');
    expect(asked[0]?.tools.map(({ name }) => name)).toContain('mcp__test__echo');
    expect(asked[0]?.system).toContain('<mcp-server name="test">\nAsk for echoes.\n</mcp-server>');
    expect(lastResult(asked[1]!)).toMatchObject({ output: 'hello', failed: false });
    expect(lastResult(asked[2]!)).toMatchObject({ output: 'not there', failed: true });
    expect(told()).toMatchObject([
      { tool_name: 'mcp__test__echo', tool_input: { text: 'hello' } },
      { tool_name: 'mcp__test__echo' },
    ]);
  });

  it('have their forms answered by hooks with nobody there [koder.example.elicitation-in-ci] [koder.elicit.action-answers]', async () => {
    await hooks({
      Elicitation: [
        command(`${note()}; echo '{"hookSpecificOutput":{"action":"accept","content":{"confirm":true}}}'`),
      ],
      ElicitationResult: [command(note())],
    });
    const { session, asked, journal } = await start([call('ask', { request })], mcp());
    await session.prompt('go');
    expect(JSON.parse((lastResult(asked[1]!) as { output: string }).output)).toEqual({
      action: 'accept',
      content: { confirm: true },
    });
    expect(told()).toMatchObject([
      { event: 'Elicitation', server_name: 'test', mode: 'form', requestedSchema: request.requestedSchema },
      { event: 'ElicitationResult', action: 'accept', source: 'hook', field_names: ['confirm'] },
    ]);
    expect(journal.filter((entry) => entry.kind === 'lifecycle' && entry.event === 'blocked')).toEqual([]);
    expect(JSON.stringify(journal)).not.toContain('"confirm"');
  });

  it('wait for the user in the open: blocked, a notification, unblocked [codey.blocked.reason-names-kind]', async () => {
    await hooks({ Notification: [command(note())] });
    const { session, journal } = await start(
      [call('ask3', { request })],
      mcp([], {
        fill: async () => ({ action: 'accept', values: { confirm: true } }),
        visit: async () => 'decline',
      }),
    );
    await session.prompt('go');
    const blocked = journal.flatMap((entry) =>
      entry.kind === 'lifecycle' && /blocked/.test(entry.event) ? [entry] : [],
    );
    expect(blocked.map(({ event, reason }) => [event, reason])).toEqual([
      ['blocked', 'question'],
      ['unblocked', 'answered'],
      ['blocked', 'question'],
      ['unblocked', 'answered'],
      ['blocked', 'question'],
      ['unblocked', 'answered'],
    ]);
    expect(blocked[0]).toMatchObject({ agent: 'main', message: 'test asks: Delete it?' });
    // Nobody waits for the hooks of a notification.
    await vi.waitUntil(() => told().length === 3, { timeout: 20_000 });
    expect(toldOnly('notification_type')).toEqual(['elicitation', 'elicitation', 'elicitation']);
  });

  it('ask in the name of the agent that calls them, of two agents at once [codey.blocked.reason-names-kind]', async () => {
    await hooks({
      Notification: [command(note())],
      Elicitation: [command(note('asked'))],
      ElicitationResult: [command(note('asked'))],
    });
    const open: { readonly agent: string; readonly answer: (answer: FormAnswer) => void }[] = [];
    const model = modelOf(({ agent, messages }) => {
      if (messages.some(({ role }) => role === 'tool')) return { text: 'done' };
      if (agent.name !== 'main') return call('ask', { request });
      return {
        calls: ['one', 'two'].map((name) => ({ tool: 'spawn_agent', input: { name, prompt: 'ask' } })),
      };
    });
    const fill: FormPort['fill'] = ({ agent }, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        open.push({ agent: agent.name, answer: resolve });
      });
    const { session, journal } = await start([], {
      model,
      ...mcp([], { fill, visit: async () => 'decline' }),
    });
    await session.prompt('go');
    await vi.waitUntil(() => open.length === 2, { timeout: 20_000 });
    const blocked = () =>
      journal.flatMap((entry) =>
        entry.kind === 'lifecycle' && /blocked/.test(entry.event)
          ? [`${entry.event} ${entry.agent} ${entry.reason}`]
          : [],
      );
    await vi.waitUntil(() => blocked().length === 2, { timeout: 20_000 });
    expect(blocked().toSorted()).toEqual(['blocked one question', 'blocked two question']);
    expect(open.map(({ agent }) => agent).toSorted()).toEqual(['one', 'two']);
    session.agents.cancel('one');
    open.find(({ agent }) => agent === 'two')?.answer({ action: 'accept', values: { confirm: true } });
    await session.agents.settled(new AbortController().signal);
    await vi.waitUntil(() => told('asked').length === 4 && told().length === 2, { timeout: 20_000 });
    expect(blocked().slice(2).toSorted()).toEqual(['unblocked one interrupted', 'unblocked two answered']);
    const said = (payloads: readonly Record<string, unknown>[]) =>
      payloads.map(({ event, agent_id, action }) => [event, agent_id, action].join(' ').trim()).toSorted();
    expect(said(told('asked'))).toEqual([
      'Elicitation one',
      'Elicitation two',
      'ElicitationResult one cancel',
      'ElicitationResult two accept',
    ]);
    expect(said(told())).toEqual(['Notification one', 'Notification two']);
  });

  it('have the hooks of an answer run to their end where the run is interrupted, before the session ends', async () => {
    await hooks({ ElicitationResult: [command(`sleep 0.3; ${note()}`)], SessionEnd: [command(note())] });
    let opened: () => void = () => {};
    const isOpen = new Promise<void>((resolve) => {
      opened = resolve;
    });
    const fill: FormPort['fill'] = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        opened();
      });
    const { session } = await start(
      [call('ask', { request })],
      mcp([], { fill, visit: async () => 'decline' }),
    );
    const prompting = session.prompt('go');
    await isOpen;
    session.interrupt();
    expect(await prompting).toMatchObject({ stop: 'interrupted' });
    await close();
    expect(told()).toMatchObject([
      { event: 'ElicitationResult', action: 'cancel', source: 'user', agent_id: 'main' },
      { event: 'SessionEnd' },
    ]);
  });

  it('offer the prompts there are: the model is not asked about another one', async () => {
    await hooks({ UserPromptSubmit: [command(note())] });
    const { session, asked } = await start([], mcp());
    expect(await session.prompt('/test:reviw a.ts')).toMatchObject({
      stop: 'error',
      error: 'There is no prompt /test:reviw; there are /test:review.',
    });
    expect([asked.length, told().length]).toEqual([0, 0]);
    expect(await session.prompt('/test:review a.ts')).toMatchObject({ stop: 'completed' });
    expect(toldOnly('prompt')).toEqual(['Review a.ts.']);
  });

  it('have the resources that a prompt mentions read, behind the prompt and not in the user’s name', async () => {
    await hooks({});
    const { session, asked } = await start([], mcp());
    await session.prompt('sum up @test:test://notes, and mail ann@test:x');
    expect(asked[0]?.messages).toEqual([
      { role: 'user', text: 'sum up @test:test://notes, and mail ann@test:x' },
      {
        role: 'context',
        text: 'notes at test://notes\n[resource test://notes, image/png, 3 bytes, not shown]',
        source: 'resource test://notes of the MCP server test',
      },
    ]);
  });

  it('end with the session', async () => {
    await hooks({});
    const { session } = await start([], mcp(['--hang']));
    const prompting = session.prompt('go');
    session.interrupt();
    expect(await prompting).toMatchObject({ stop: 'interrupted' });
    await close();
  });
});
