import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHooks, type OpenedHooks, SettingsRefused } from './open-hooks.ts';
import { createToolGate, type ToolGateOptions } from './tool-gate.ts';

let folder: string;
let home: string;
let project: string;
let opened: OpenedHooks[];
let notices: string[];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'gate-')));
  home = path.join(folder, 'home');
  project = path.join(folder, 'project');
  mkdirSync(path.join(home, '.codey'), { recursive: true });
  mkdirSync(path.join(project, '.codey'), { recursive: true });
  opened = [];
  notices = [];
});
afterEach(async () => {
  for (const hooks of opened) await hooks.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(user: object, repository: object = {}): Promise<OpenedHooks> {
  writeFileSync(path.join(home, '.codey/settings.json'), JSON.stringify(user, null, 1));
  writeFileSync(path.join(project, '.codey/settings.json'), JSON.stringify(repository, null, 1));
  const hooks = await openHooks({
    projectRoot: project,
    home,
    environment: process.env,
    notify: (sentence) => notices.push(sentence),
  });
  opened.push(hooks);
  return hooks;
}

const command = (line: string, more: object = {}) => ({ type: 'command', command: line, ...more });
const on = (event: string, ...hooks: object[]) => ({ hooks: { [event]: [{ hooks }] } });
const answer = (specific: object) => command(`echo '${JSON.stringify({ hookSpecificOutput: specific })}'`);

async function push(hooks: OpenedHooks, options?: ToolGateOptions) {
  const ran: unknown[] = [];
  const result = await createToolGate(hooks, options).call(
    { tool: 'shell', input: { command: 'cd app && git push' }, id: 'call_1' },
    async (input) => {
      ran.push(input);
      return 'pushed';
    },
  );
  return { ...result, ran };
}

it('runs a call that nobody objects to, with its own input', async () => {
  expect(await push(await open({}))).toEqual({
    kind: 'ran',
    output: 'pushed',
    remarks: [],
    ran: [{ command: 'cd app && git push' }],
  });
});

describe('keeps a call from running', () => {
  const guard = command('echo "a person pushes here" >&2; exit 2', { if: 'shell(git push*)' });
  const ask = answer({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' });

  it.each([
    ['that a hook blocks [koder.exit.two-stderr-reason]', on('PreToolUse', guard), 'a person pushes here'],
    [
      'that a rule denies',
      { permissions: { deny: ['shell(git push*)'] } },
      'a rule denies it, settings.json:4',
    ],
    [
      'that a hook asks about, where nobody answers',
      on('PreToolUse', ask),
      'nobody is there to answer: sure?',
    ],
    [
      'that a rule asks about, where nobody answers',
      { permissions: { ask: ['shell'] } },
      'nobody is there to answer: a rule asks for a person, settings.json:4',
    ],
  ])('%s', async (_, settings, reason) => {
    expect(await push(await open(settings))).toEqual({ kind: 'refused', reason, ran: [] });
  });

  it('that the user denies, and tells PermissionDenied', async () => {
    const hooks = await open({
      hooks: {
        ...on('PreToolUse', ask).hooks,
        ...on('PermissionDenied', command('cat > denied.json')).hooks,
      },
    });
    const result = await push(hooks, { approve: async () => false });
    expect(result).toEqual({ kind: 'refused', reason: 'the user denied it: sure?', ran: [] });
    const told = JSON.parse(readFileSync(path.join(project, 'denied.json'), 'utf8'));
    expect(told).toMatchObject({
      event: 'PermissionDenied',
      tool_call_id: 'call_1',
      reason: result.kind === 'refused' && result.reason,
    });
  });

  it('that a repository denies before anybody reviewed it', async () => {
    const result = await push(await open({}, { permissions: { deny: ['shell'] } }));
    expect(result).toMatchObject({ kind: 'refused', ran: [] });
  });

  it('whose changed input the tool cannot take', async () => {
    const hooks = await open(on('PreToolUse', answer({ updatedInput: { comand: 'ls' } })));
    const result = await createToolGate(hooks).call(
      {
        tool: 'shell',
        input: { command: 'ls' },
        refuse: (input) => ('command' in input ? undefined : 'command is missing'),
      },
      async () => 'ran',
    );
    expect(result).toEqual({
      kind: 'refused',
      reason: 'a hook changed the input to one that shell cannot take: command is missing',
    });
  });

  it('that is interrupted while its hooks are asked', async () => {
    const hooks = await open(on('PreToolUse', command('sleep 60')));
    const interrupt = new AbortController();
    const result = createToolGate(hooks).call(
      { tool: 'shell', input: { command: 'ls' }, signal: interrupt.signal },
      async () => 'ran',
    );
    interrupt.abort();
    expect(await result).toEqual({ kind: 'refused', reason: 'the call was interrupted' });
  });
});

it('runs what the user approves', async () => {
  const hooks = await open({ permissions: { ask: ['shell(git push*)'] } });
  expect(await push(hooks, { approve: async () => true })).toMatchObject({ kind: 'ran', output: 'pushed' });
});

it('runs the input that a hook put in place, holds rules against it and says so [contract.output.updated-input]', async () => {
  const changed = { command: 'git push --dry-run' };
  const rewrite = on('PreToolUse', answer({ updatedInput: changed }));
  const result = await push(await open(rewrite));
  expect(result.ran).toEqual([changed]);
  expect(result).toMatchObject({
    remarks: [expect.stringContaining(`changed the input to ${JSON.stringify(changed)}`)],
  });
  expect(await push(await open({ ...rewrite, permissions: { deny: ['shell(*--dry-run)'] } }))).toMatchObject({
    kind: 'refused',
  });
});

it('hands on what hooks say after the call, and never loses the result', async () => {
  const hooks = await open(
    on(
      'PostToolUse',
      answer({ additionalContext: 'tag it too', updatedToolOutput: 'pushed [cut]' }),
      command('echo "not formatted" >&2; exit 2'),
    ),
  );
  const result = await push(hooks);
  expect(result).toMatchObject({ kind: 'ran', output: 'pushed', replacement: 'pushed [cut]' });
  expect(result.kind === 'ran' && result.remarks).toEqual([
    expect.stringMatching(/^tag it too \(from the hook .*settings\.json:\d+\)$/),
    expect.stringMatching(/^not formatted \(from the hook .*settings\.json:\d+\)$/),
  ]);
});

it('asks PostToolUseFailure, then PostToolUse, about a tool that threw', async () => {
  const log = command('cat >> events.jsonl');
  const hooks = await open({
    hooks: { ...on('PostToolUse', log).hooks, ...on('PostToolUseFailure', log).hooks },
  });
  const error = new Error('no network');
  const result = await createToolGate(hooks).call({ tool: 'shell', input: {} }, () => Promise.reject(error));
  expect(result).toEqual({ kind: 'failed', error, remarks: [] });
  const events = readFileSync(path.join(project, 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ event }) => event)).toEqual(['PostToolUseFailure', 'PostToolUse']);
  expect(events[1]).toMatchObject({ failed: true, result: 'no network' });
});

it('passes on that a hook ends the run', async () => {
  const hooks = await open(
    on('PreToolUse', command(`echo '{"continue": false, "stopReason": "budget used up"}'`)),
  );
  expect(await push(hooks)).toMatchObject({ kind: 'refused', halt: 'budget used up' });
});

describe('opening', () => {
  it('refuses settings with mistakes and lists every one', async () => {
    const mistakes = { hooks: { PreToolUs: [], Stop: [{ hooks: [{ type: 'command' }] }] } };
    const refused = await open(mistakes).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SettingsRefused);
    expect((refused as SettingsRefused).problems).toHaveLength(2);
    expect((refused as SettingsRefused).message).toMatch(/settings\.json:\d+:\d+ {2}.*PreToolUs/);
  });

  it('takes no project that does not exist, where every guard would break', async () => {
    const nowhere = path.join(folder, 'nowhere');
    const opening = openHooks({ projectRoot: nowhere, environment: {}, notify: () => {} });
    await expect(opening).rejects.toThrow(nowhere);
  });

  it("holds a repository's hooks back", async () => {
    const hooks = await open({}, on('PreToolUse', command('exit 2')));
    expect(await push(hooks)).toMatchObject({ kind: 'ran' });
  });

  it('tells of a hook that broke, and journals it', async () => {
    const hooks = await open(on('PreToolUse', command('exit 3')));
    expect(await push(hooks)).toMatchObject({ kind: 'ran' });
    expect(notices.join('\n')).toMatch(/settings\.json:\d+/);
    await hooks.close();
    expect(readFileSync(path.join(project, '.codey/events.jsonl'), 'utf8')).toContain('"failed"');
  });
});
