import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identityOf } from '../../config/identity.ts';
import { formatProblem } from '../../config/problem.ts';
import { type ClaudeHooks, loadClaudeHooks, loadClaudePlugin } from './load.ts';

let home: string;
let projectRoot: string;

beforeEach(async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'codey-claude-')));
  home = path.join(folder, 'home');
  projectRoot = path.join(folder, 'a project');
  await mkdir(home);
  await mkdir(projectRoot);
});
afterEach(() => rm(path.dirname(home), { recursive: true, force: true }));

async function write(file: string, value: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

const userFile = () => path.join(home, '.claude/settings.json');
const projectFile = () => path.join(projectRoot, '.claude/settings.json');
const load = (): Promise<ClaudeHooks> => loadClaudeHooks({ projectRoot, home });
const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });
const group = (hook: object, matcher?: string) => ({
  ...(matcher !== undefined && { matcher }),
  hooks: [hook],
});

async function loadEntry(event: string, hook: object, matcher?: string): Promise<ClaudeHooks> {
  await write(userFile(), { hooks: { [event]: [group(hook, matcher)] } });
  return load();
}

const said = ({ warnings }: ClaudeHooks) =>
  warnings.map((warning) => formatProblem({ ...warning, file: path.basename(warning.file) }));

describe('the files', () => {
  it('are the user’s, the project’s and the local one, in this order [contract.scope.order]', async () => {
    await write(path.join(projectRoot, '.claude/settings.local.json'), {
      hooks: { Stop: [group(command('c'))] },
    });
    await write(projectFile(), { hooks: { Stop: [group(command('b'))] } });
    await write(userFile(), { hooks: { Stop: [group(command('a'))] } });
    const { hooks, warnings } = await load();
    expect(warnings).toEqual([]);
    expect(hooks.map(({ handler, source }) => [handler, source.scope, source.fromRepository])).toEqual([
      [{ type: 'command', command: 'a' }, 'user', false],
      [{ type: 'command', command: 'b' }, 'project', true],
      [{ type: 'command', command: 'c' }, 'local', true],
    ]);
  });

  it('may all be missing', async () => {
    expect(await load()).toEqual({ hooks: [], warnings: [], neverFires: [], watches: [] });
  });

  it('count once where the project is the home directory, as the user’s [contract.scope.real-path-once]', async () => {
    await write(userFile(), { hooks: { Stop: [group(command('a'))] } });
    const { hooks } = await loadClaudeHooks({ projectRoot: home, home });
    expect(hooks.map(({ source }) => source.scope)).toEqual(['user']);
  });

  it('count once where one is a link to the other', async () => {
    await write(userFile(), { hooks: { Stop: [group(command('a'))] } });
    await mkdir(path.dirname(projectFile()));
    await symlink(userFile(), projectFile());
    expect((await load()).hooks).toHaveLength(1);
  });

  it('of the user may lie in another directory', async () => {
    const configDir = path.join(home, 'elsewhere');
    await write(path.join(configDir, 'settings.json'), { hooks: { Stop: [group(command('a'))] } });
    expect((await loadClaudeHooks({ projectRoot, home, configDir })).hooks).toHaveLength(1);
  });

  it('that are broken are passed over with the place, and the others count', async () => {
    await write(userFile(), '{"hooks": {"Stop": [');
    await write(projectFile(), { hooks: { Stop: [group(command('b'))] } });
    const loaded = await load();
    expect(loaded.hooks).toHaveLength(1);
    expect(said(loaded)).toEqual([
      'settings.json:1:1  this file is not JSON, so none of its hooks run',
      'settings.json:1:21  a closing ] is missing',
    ]);
  });

  it('that are directories are passed over with a warning', async () => {
    await mkdir(userFile(), { recursive: true });
    expect(said(await load())).toEqual(['settings.json:1:1  this is no regular file, so it is not read']);
  });

  it('switch off: the user’s everything, a repository’s only its own', async () => {
    const stop = { Stop: [group(command('x'))] };
    await write(userFile(), { hooks: stop });
    await write(projectFile(), { disableAllHooks: true, hooks: stop });
    expect((await load()).hooks.map(({ source }) => source.scope)).toEqual(['user']);
    await write(userFile(), { disableAllHooks: true, hooks: stop });
    expect((await load()).hooks).toEqual([]);
  });
});

describe('a bad entry is left out with a warning and its neighbours run [contract.load.contributed-entry-warns]', () => {
  it.each<[string, object, string]>([
    ['an unknown event', { PreTooluse: [] }, '3:5  unknown event "PreTooluse"  (did you mean "PreToolUse"?)'],
    ['an event without a list', { PreToolUse: {} }, 'PreToolUse takes a list of groups, not an object'],
    ['a group that is none', { PreToolUse: ['x'] }, 'a group of PreToolUse must be an object'],
    [
      'a group without hooks',
      { PreToolUse: [{ matcher: 'Bash' }] },
      'this group of PreToolUse has no "hooks" list',
    ],
    ['a matcher that is no text', { PreToolUse: [{ matcher: {}, hooks: [] }] }, '"matcher" must be a string'],
    [
      'a matcher that does not compile',
      { PreToolUse: [group(command('x'), '(Bash')] },
      'is not a regular expression',
    ],
    ['a hook without a type', { PreToolUse: [group({ command: 'x' })] }, 'this hook has no "type"'],
    ['an unknown type', { PreToolUse: [group({ type: 'comand' })] }, '(did you mean "command"?)'],
    ['a missing command', { PreToolUse: [group({ type: 'command' })] }, 'this command hook needs "command"'],
    [
      'a command that is no text',
      { PreToolUse: [group({ type: 'command', command: 1 })] },
      '"command" must be',
    ],
    [
      'a timeout in words',
      { PreToolUse: [group(command('x', { timeout: '10' }))] },
      '"timeout" must be a number',
    ],
    [
      'a timeout of nothing',
      { PreToolUse: [group(command('x', { timeout: 0 }))] },
      'must be above 0 seconds, not 0',
    ],
  ])('%s', async (_what, bad, message) => {
    await write(userFile(), { hooks: { ...bad, Stop: [group(command('good'))] } });
    const loaded = await load();
    expect(loaded.hooks.map(({ handler }) => handler)).toEqual([{ type: 'command', command: 'good' }]);
    expect(said(loaded)).toEqual([expect.stringContaining(message)]);
  });

  it('also beside it in one group', async () => {
    await write(userFile(), { hooks: { Stop: [{ hooks: [{ type: 'command' }, command('good')] }] } });
    expect((await load()).hooks).toHaveLength(1);
  });
});

describe('what runs all the same is told', () => {
  it.each<[string, string, object, string]>([
    [
      'an unknown field',
      'Stop',
      command('x', { timeot: 5 }),
      'unknown field "timeot" in a hook is passed over  (did you mean "timeout"?)',
    ],
    [
      'a time that is too long',
      'Stop',
      command('x', { timeout: 5000 }),
      '"timeout" is 5000 seconds and counts as 3600  (it counts seconds; did you mean 5?)',
    ],
    ['once outside of a skill', 'Stop', command('x', { once: true }), 'this hook runs each time'],
    ['asyncRewake', 'Stop', command('x', { asyncRewake: true }), 'wakes nobody here'],
    [
      'an if that cannot be read',
      'PreToolUse',
      command('x', { if: 'Bash(' }),
      'the hook runs for every call',
    ],
  ])('%s', async (_what, event, hook, message) => {
    const loaded = await loadEntry(event, hook);
    expect(loaded.hooks).toHaveLength(1);
    expect(said(loaded)).toEqual([expect.stringContaining(message)]);
  });

  it('behaviour on a group', async () => {
    await write(userFile(), { hooks: { PreToolUse: [{ ...group(command('x')), onFailure: 'block' }] } });
    const loaded = await load();
    expect(loaded.hooks[0]?.onFailure).toBe('pass');
    expect(said(loaded)).toEqual([expect.stringContaining('move it into each object inside "hooks"')]);
  });

  it('a matcher where there is nothing to match', async () => {
    expect(said(await loadEntry('Stop', command('x'), 'Bash'))).toEqual([
      expect.stringContaining('this one matches always'),
    ]);
  });
});

describe('what never fires is listed with the reason', () => {
  it.each<[string, string, object, string | undefined, string]>([
    ['an event without a moment', 'PostToolBatch', command('x'), undefined, 'calls are judged one by one'],
    [
      'a hook that calls a tool',
      'PreToolUse',
      { type: 'mcp_tool', server: 's', tool: 't' },
      undefined,
      'mcp_tool: ',
    ],
    ['if on no tool call', 'Stop', command('x', { if: 'Bash' }), undefined, 'tests on tool calls only'],
    ['a source that does not occur', 'SessionStart', command('x'), 'fork', 'is never fork here'],
    [
      'a tool that is not here',
      'PreToolUse',
      command('x'),
      'NotebookEdit',
      'there is no tool NotebookEdit here',
    ],
  ])('%s', async (_what, event, hook, matcher, reason) => {
    const { hooks, warnings, neverFires } = await loadEntry(event, hook, matcher);
    expect(hooks).toEqual([]);
    expect(warnings).toEqual([]);
    expect(neverFires).toEqual([
      {
        event,
        reason: expect.stringContaining(reason),
        source: expect.objectContaining({ file: userFile() }),
      },
    ]);
  });
});

describe('a hook', () => {
  const only = async (event: string, hook: object, matcher?: string) =>
    (await loadEntry(event, hook, matcher)).hooks[0]!;

  it('has every field where the engine looks for it', async () => {
    const { matcher, ...hook } = await only(
      'PreToolUse',
      command('guard', { timeout: 5, statusMessage: 'Looking' }),
      'Bash',
    );
    expect(matcher.text).toBe('Bash');
    expect(hook).toEqual({
      id: expect.stringMatching(/^PreToolUse:[0-9a-f]{8}$/),
      identity: expect.stringMatching(/^[0-9a-f]{64}$/),
      event: 'PreToolUse',
      handler: { type: 'command', command: 'guard' },
      timeoutMs: 5000,
      once: false,
      async: false,
      onFailure: 'pass',
      statusMessage: 'Looking',
      source: { scope: 'user', file: userFile(), line: 7, column: 11, fromRepository: false },
      group: `${userFile()}:PreToolUse[0].hooks[0]`,
      dialect: 'claude',
    });
  });

  it.each<[string, object, number]>([
    ['PreToolUse', command('x'), 600],
    ['UserPromptSubmit', command('x'), 30],
    ['SessionEnd', command('x'), 60],
    ['PreToolUse', { type: 'http', url: 'https://example.com/' }, 600],
    ['Stop', { type: 'prompt', prompt: 'x' }, 30],
    ['Stop', { type: 'agent', prompt: 'x' }, 60],
  ])('of %s, %j, has %i seconds when it does not say', async (event, hook, seconds) => {
    expect((await only(event, hook)).timeoutMs).toBe(seconds * 1000);
  });

  it('with args is started without a shell, its placeholders filled in', async () => {
    const hook = command('${CLAUDE_PROJECT_DIR}/guard', { args: ['--root=${CLAUDE_PROJECT_DIR}', '$HOME'] });
    expect((await only('PreToolUse', hook)).handler).toEqual({
      type: 'command',
      command: `${projectRoot}/guard`,
      args: [`--root=${projectRoot}`, '$HOME'],
    });
  });

  it('without args is left to the shell, so that a path is never pasted into its text', async () => {
    const text = '"$CLAUDE_PROJECT_DIR"/guard ${CLAUDE_PROJECT_DIR}';
    expect((await only('PreToolUse', command(text))).handler).toEqual({ type: 'command', command: text });
  });

  it.each<[object, object]>([
    [command('x', { shell: 'bash' }), { type: 'command', command: 'x', shell: 'bash' }],
    [command('x', { shell: 'powershell' }), { type: 'command', command: 'x', shell: 'pwsh' }],
    [
      { type: 'http', url: 'https://a.b/', headers: { a: 'Bearer $T ${U}' }, allowedEnvVars: ['T'] },
      { type: 'http', url: 'https://a.b/', headers: { a: 'Bearer ${T} ${U}' }, allowedEnvVars: ['T'] },
    ],
    [
      { type: 'prompt', prompt: 'x', model: 'haiku' },
      { type: 'prompt', prompt: 'x' },
    ],
    [
      { type: 'agent', prompt: 'x', model: 'claude-haiku-4-5' },
      { type: 'agent', prompt: 'x', model: 'anthropic/claude-haiku-4-5' },
    ],
  ])('%j becomes %j', async (written, handler) => {
    expect((await only('Stop', written)).handler).toEqual(handler);
  });

  it.each<[string, object, 'block' | 'pass']>([
    ['PreToolUse', { onFailure: 'block' }, 'block'],
    ['PreToolUse', { onFailure: 'block', async: true }, 'pass'],
    ['Stop', { onFailure: 'block' }, 'pass'],
    ['TaskCompleted', { onFailure: 'block' }, 'pass'],
    ['WorktreeCreate', {}, 'block'],
  ])(
    'of %s with %j: a failure means %s [contract.failure.on-failure-block]',
    async (event, more, onFailure) => {
      expect((await only(event, command('x', more))).onFailure).toBe(onFailure);
    },
  );

  it.each(['async', 'asyncRewake'])('with %s runs in the background', async (field) => {
    expect((await only('Stop', command('x', { [field]: true }))).async).toBe(true);
  });

  it('is another one than a hook of ours with the same words [contract.identity.what-runs]', async () => {
    const hook = await only('Stop', command('x'));
    expect(hook.identity).not.toBe(identityOf({ handler: hook.handler, async: false }));
  });

  it('waits for no other of its group, as in that format', async () => {
    await write(userFile(), { hooks: { PreToolUse: [{ hooks: [command('a'), command('b')] }] } });
    const { hooks } = await load();
    expect(new Set(hooks.map(({ group: key }) => key)).size).toBe(2);
  });

  it.each([
    [undefined, ['SessionStart', 'PostCompact']],
    ['startup|compact', ['SessionStart', 'PostCompact']],
    ['startup|resume', ['SessionStart']],
  ])('of SessionStart with the matcher %s stands under %j', async (matcher, events) => {
    const { hooks } = await loadEntry('SessionStart', command('x'), matcher);
    expect(hooks.map(({ event }) => event)).toEqual(events);
  });

  it('of FileChanged names the files to watch in its matcher', async () => {
    const { hooks, watches } = await loadEntry('FileChanged', command('x'), '.env|.envrc');
    expect(watches).toEqual([{ id: hooks[0]?.id, paths: ['.env', '.envrc'] }]);
  });
});

describe('a plugin', () => {
  it('contributes its hooks under its root and name', async () => {
    const root = path.join(home, 'plugins/guard');
    await write(path.join(root, 'hooks/hooks.json'), {
      description: 'Guards',
      hooks: { PreToolUse: [group(command('run', { args: ['${CLAUDE_PLUGIN_ROOT}/x'] }))] },
    });
    const loaded = await loadClaudePlugin(
      { name: 'guard', root, fromRepository: false },
      { projectRoot, home },
    );
    expect(loaded.warnings).toEqual([]);
    expect(loaded.hooks[0]?.handler).toEqual({ type: 'command', command: 'run', args: [`${root}/x`] });
    expect(loaded.hooks[0]?.source).toMatchObject({ scope: 'plugin', root, contributor: 'guard' });
  });
});
