// Whole sessions with hooks that a model answers.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveSession } from '../src/live-session.ts';
import type { ModelRequest } from '../src/model/model.ts';
import {
  type Answer,
  type AnswerCall,
  modelOf,
  openWholeSession,
  type WholeSession,
} from './whole-session.ts';

let root: string;
let project: string;
let home: string;
let open: LiveSession | undefined;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'model-hooks-')));
  project = join(root, 'project');
  home = join(root, 'home');
  await mkdir(join(project, '.codey'), { recursive: true });
  await mkdir(join(home, '.codey'), { recursive: true });
  await writeFile(join(project, 'policy.txt'), 'Pushes are done from CI.\n');
});

afterEach(async () => {
  await open?.close({ reason: 'exit', hurry: new AbortController().signal });
  open = undefined;
  await rm(root, { recursive: true, force: true });
});

const settings = (value: object) => writeFile(join(home, '.codey/settings.json'), JSON.stringify(value));
const managed = (value: object) =>
  writeFile(join(home, '.codey/managed-settings.json'), JSON.stringify(value));

const guard = (type: 'prompt' | 'agent', more: object = {}) => ({
  PreToolUse: [{ matcher: 'run_shell', hooks: [{ type, prompt: 'No pushes.', ...more }] }],
});
const allowed = { permissions: { allow: ['run_shell'] } };
const touch: Answer = { calls: [{ tool: 'run_shell', input: { command: 'touch ran' } }] };
const readPolicy = (path = 'policy.txt'): Answer => ({ calls: [{ tool: 'read_file', input: { path } }] });
const fine: Answer = { text: '{"ok": true}' };
const refused: Answer = { text: '{"ok": false, "reason": "see policy.txt"}' };

/** The main agent makes one call and is done; the hook's agent gives these answers, and `asked` keeps what it saw. */
async function runWith(
  hook: readonly (Answer | AnswerCall)[],
  more: Partial<Parameters<typeof openWholeSession>[0]> = {},
): Promise<WholeSession & { asked: ModelRequest[]; main: ModelRequest[]; session: LiveSession }> {
  const asked: ModelRequest[] = [];
  const main: ModelRequest[] = [];
  const model = modelOf((request) => {
    // The conversation goes on behind the request.
    const seen = { ...request, messages: [...request.messages] };
    if (request.agent.name === 'main') return main.push(seen) === 1 ? touch : { text: 'done' };
    const answer = hook[asked.push(seen) - 1] ?? { text: 'asked too often' };
    return typeof answer === 'function' ? answer(request) : answer;
  });
  const opened = await openWholeSession({ projectRoot: project, home, model, ...more });
  if (opened.started.kind !== 'open') throw new Error(opened.started.reason);
  open = opened.started.session;
  return { ...opened, asked, main, session: open };
}

const ran = () => existsSync(join(project, 'ran'));
const lastResult = ({ messages }: ModelRequest) => messages.findLast((message) => message.role === 'tool');

describe.each(['prompt', 'agent'] as const)('a %s hook', (type) => {
  it('keeps a call from running and gives the model its reason [koder.event.pretooluse-block]', async () => {
    await settings({ ...allowed, hooks: guard(type) });
    const { session, main, asked } = await runWith([refused]);
    await session.prompt('go');
    expect(ran()).toBe(false);
    expect(lastResult(main[1]!)).toMatchObject({ failed: true, output: 'see policy.txt' });
    expect(asked[0]!.agent).toEqual({ type: 'hook', name: 'hook' });
    expect(asked[0]!.messages).toEqual([
      { role: 'user', text: expect.stringMatching(/^No pushes\.\n\n<event-.*"touch ran"/s) },
    ]);
  });

  it('lets a call run, and its tokens are not the run’s', async () => {
    await settings({ ...allowed, hooks: guard(type) });
    const { session } = await runWith([fine]);
    expect(await session.prompt('go')).toMatchObject({ stop: 'completed', usage: { input: 20, output: 2 } });
    expect(ran()).toBe(true);
  });

  it('is answered by the model it names [koder.field.model-override]', async () => {
    await settings({ ...allowed, hooks: guard(type, { model: 'test/small' }) });
    const opened: string[] = [];
    const openModel = async (id: string) => {
      opened.push(id);
      return modelOf(() => refused, id);
    };
    const { session, asked } = await runWith([], { openModel });
    await session.prompt('go');
    await session.prompt('again');
    expect(ran()).toBe(false);
    expect(opened).toEqual(['test/small']);
    expect(asked).toEqual([]);
  });

  it('fails by name where its model cannot be opened, and blocks if it says so', async () => {
    await settings({ ...allowed, hooks: guard(type, { model: 'test/none', onFailure: 'block' }) });
    const { session, notices } = await runWith([]);
    await session.prompt('go');
    expect(ran()).toBe(false);
    expect(notices.join()).toContain('the model gave no answer: this program cannot open test/none');
  });

  it('is given up with its turn, and its call stays undone [contract.cancel.gate-stays-shut]', async () => {
    await settings({ ...allowed, hooks: guard(type) });
    const { session } = await runWith([
      () => {
        session.interrupt();
        return new Promise<Answer>(() => {});
      },
    ]);
    expect(await session.prompt('go')).toMatchObject({ stop: 'interrupted' });
    expect(ran()).toBe(false);
  });
});

it('a prompt hook’s model has no tools and runs none [koder.field.prompt-model-only]', async () => {
  await settings({ ...allowed, hooks: guard('prompt') });
  const { session, asked } = await runWith([readPolicy(), refused]);
  await session.prompt('go');
  expect(asked.map(({ tools }) => tools)).toEqual([[], []]);
  expect(asked[1]!.messages).toHaveLength(1);
  expect(ran()).toBe(false);
});

describe('the calls of an agent hook', () => {
  const agentGuard = { ...allowed, hooks: guard('agent') };

  it('read the workspace, and only read [koder.field.agent-has-tools] [contract.gate.agent-hook-tools]', async () => {
    await settings(agentGuard);
    const write: Answer = { calls: [{ tool: 'write_file', input: { path: 'new.txt', content: 'x' } }] };
    const { session, asked } = await runWith([readPolicy(), write, touch, refused]);
    await session.prompt('go');
    expect(asked[0]!.tools.map(({ name }) => name)).toEqual([
      'read_file',
      'list_directory',
      'glob_search',
      'grep_search',
    ]);
    expect(asked[0]!.system).toContain(`Workspace: ${project}`);
    expect(lastResult(asked[1]!)).toMatchObject({
      failed: false,
      output: expect.stringContaining('Pushes are done from CI.'),
    });
    expect(lastResult(asked[2]!)).toMatchObject({
      failed: true,
      output: expect.stringContaining('write_file'),
    });
    expect(lastResult(asked[3]!)).toMatchObject({ failed: true });
    expect([ran(), existsSync(join(project, 'new.txt'))]).toEqual([false, false]);
  });

  it('meet rules, and where somebody would have to be asked they are denied [contract.gate.agent-hook-tools]', async () => {
    await settings({
      permissions: { allow: ['run_shell'], deny: ['read_file(policy.txt)'] },
      hooks: guard('agent'),
    });
    await writeFile(join(root, 'secret.txt'), 'a secret');
    const human = {
      approve: () => Promise.reject(new Error('nobody may be asked for a hook')),
      answer: () => Promise.reject(new Error('nobody may be asked for a hook')),
    };
    const { session, asked, journal } = await runWith(
      [readPolicy(), readPolicy(join(root, 'secret.txt')), refused],
      { human },
    );
    await session.prompt('go');
    expect(lastResult(asked[1]!)).toMatchObject({
      failed: true,
      output: expect.stringContaining('denied by'),
    });
    expect(lastResult(asked[2]!)).toMatchObject({
      failed: true,
      output: expect.stringContaining('nobody is here to answer'),
    });
    expect(journal.filter((entry) => entry.kind === 'gate' && entry.agent === 'hook')).toMatchObject([
      { tool: 'read_file', decision: 'denied', by: 'deny rule' },
      { tool: 'read_file', decision: 'denied', by: 'nobody to ask' },
    ]);
  });

  it('ask managed hooks and no others, and no lifecycle command [contract.gate.agent-hook-tools]', async () => {
    const note = (name: string) => ({ type: 'command', command: `cat > /dev/null; echo ${name} >> fired` });
    const everywhere = (name: string) => [{ hooks: [note(name)] }];
    await settings({
      ...allowed,
      hooks: {
        ...guard('agent'),
        PostToolUse: everywhere('user-post'),
        PermissionDenied: everywhere('user-denied'),
        tool_start: ['cat > /dev/null; echo started >> fired'],
      },
    });
    await managed({
      hooks: {
        PreToolUse: [
          {
            matcher: 'read_file',
            hooks: [{ ...note('managed'), command: 'cat > asked.json; echo "not that file" >&2; exit 2' }],
          },
        ],
      },
    });
    const { session, asked, journal } = await runWith([readPolicy(), fine]);
    await session.prompt('go');
    expect(lastResult(asked[1]!)).toMatchObject({ failed: true, output: 'not that file' });
    expect(JSON.parse(readFileSync(join(project, 'asked.json'), 'utf8'))).toMatchObject({
      event: 'PreToolUse',
      tool_name: 'read_file',
      agent_id: 'hook',
      agent_type: 'hook',
    });
    // The main agent's own call, whose hooks fire as ever.
    expect(readFileSync(join(project, 'fired'), 'utf8').split('\n').filter(Boolean)).toEqual([
      'started',
      'user-post',
    ]);
    expect(journal.filter((entry) => entry.kind === 'lifecycle' && entry.agent === 'hook')).toEqual([]);
  });

  it('journal the user’s hooks they did not ask as skipped for depth [contract.depth.bounded]', async () => {
    await settings({
      ...allowed,
      hooks: {
        PreToolUse: [
          { matcher: 'run_shell', hooks: [{ type: 'agent', prompt: 'No pushes.' }] },
          { matcher: 'read_file', hooks: [{ type: 'command', command: 'exit 2' }] },
        ],
      },
    });
    const { session, journal } = await runWith([readPolicy(), fine]);
    await session.prompt('go');
    const dispatches = journal.filter((entry) => entry.kind === 'dispatch' && entry.agent === 'hook');
    expect(
      dispatches.find((entry) => entry.kind === 'dispatch' && entry.event === 'PreToolUse'),
    ).toMatchObject({
      tool: 'read_file',
      hooks: [{ outcome: 'skipped', why: 'depth' }],
    });
  });

  it('never start an agent hook, not even a managed one that matches them', async () => {
    await managed({
      hooks: { PreToolUse: [{ hooks: [{ type: 'agent', prompt: 'Look into every call.' }] }] },
    });
    await settings(allowed);
    const { session, asked } = await runWith([readPolicy(), fine]);
    await session.prompt('go');
    expect(asked).toHaveLength(2);
    expect(ran()).toBe(true);
  });

  it('end with the hook when a managed hook says so', async () => {
    await managed({
      hooks: {
        PreToolUse: [
          {
            matcher: 'read_file',
            hooks: [{ type: 'command', command: `echo '{"continue": false, "stopReason": "enough"}'` }],
          },
        ],
      },
    });
    await settings(agentGuard);
    const { session, asked, notices } = await runWith([readPolicy()]);
    expect(await session.prompt('go')).toMatchObject({ stop: 'completed' });
    expect(asked).toHaveLength(1);
    expect(notices.join()).toMatch(/managed hook managed-settings\.json:\d+ ended its work/);
  });

  it('are over after twenty turns, the last of which says so', async () => {
    await settings(agentGuard);
    const { session, asked, notices } = await runWith(Array.from({ length: 25 }, () => readPolicy()));
    await session.prompt('go');
    expect(asked).toHaveLength(20);
    expect(asked[19]!.messages.at(-1)).toEqual({
      role: 'user',
      text: expect.stringContaining('your last turn'),
    });
    expect(notices.join()).toContain('it called tools for 20 turns and gave no answer');
  });
});
