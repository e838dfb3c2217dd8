// What a stranger's repository, and an agent that follows it, cannot do. Whole programs, with nobody there to ask.
import { renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHostileRepository, type HostileRepository, neverRead } from './attacks/hostile-repository.ts';
import { bypass, callScript, play } from './play.ts';
import { group } from './settings.ts';
import { createStage, shellScript, type Stage } from './stage.ts';

let stage: Stage;

function createVictim(): Stage {
  const victim = createStage();
  victim.write('~/secret', 'the secret of the user\n');
  victim.write('~/.codey/settings.json', {
    hooks: { PreToolUse: [group('echo mine >> "$HOME/mine"')] },
    claudeHooks: true,
  });
  return victim;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const acted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe('a hostile repository nobody agreed to', () => {
  let hostile: HostileRepository;
  beforeAll(() => {
    stage = createVictim();
    hostile = createHostileRepository(stage);
  });
  afterAll(() => stage.remove());

  it('starts nothing, loosens nothing, and is told key by key what is not read (CVE-2025-59536) [contract.trust.headless-held] [contract.repo.never-set] [contract.repo.control-names] [contract.repo.loosening-reviewed]', async () => {
    const played = await play(stage, shellScript('pwd', 'touch made', 'echo "$HARMLESS"'), []);
    expect(hostile.ran()).toEqual([]);
    for (const what of neverRead) expect(played.stderr).toContain(what);
    expect(played.stderr).toMatch(/\d+ hooks of this repository and 4 settings files .* are held back/);
    expect(played.stderr).not.toMatch(acted);
    // The repository's `disableAllHooks` turned off nothing, its `allow` and its mode let nothing run.
    expect(stage.read('~/mine').trim().split('\n')).toHaveLength(3);
    expect(stage.has('made')).toBe(false);
    expect([played.results, played.denied.length]).toEqual([[expect.stringContaining(stage.project)], 2]);
  });

  it.each([
    ['in one object', ['-p', 'x', '--output-format', 'json', '--model', 'script:own.json']],
    ['with the mode bypassPermissions of the user', ['-p', 'x', ...bypass, '--model', 'script:own.json']],
    ['bare', ['-p', 'x', '--bare', '--model', 'script:own.json']],
    ['without hooks', ['-p', 'x', '-no-hooks', '--model', 'script:own.json']],
    ['without its hooks', ['-p', 'x', '--no-project-hooks', '--model', 'script:own.json']],
    ['from below', ['-p', 'x', '--cwd', 'vendor/tool', '--model', 'script:own.json']],
    ['listed', ['hooks', 'list']],
    ['validated', ['hooks', 'validate']],
    ['reviewed', ['hooks', 'trust', '--list']],
    ['reviewed without a yes', ['hooks', 'trust']],
    ['asked dry', ['hooks', 'test', 'PreToolUse', '--tool', 'run_shell', '--dry-run']],
    ['asked', ['hooks', 'test', 'PreToolUse', '--tool', 'run_shell']],
    ['explained', ['hooks', 'why', '--last']],
    ['with its sessions listed', ['sessions']],
    ['with its servers listed', ['mcp', 'list']],
    ['rehearsed', ['rehearse']],
    ['set up', ['setup']],
  ])('%s starts nothing and writes nothing a terminal would act on', async (_, args) => {
    stage.write('own.json', [
      { calls: [{ tool: 'run_shell', input: { command: 'git status --short' } }] },
      { text: 'done' },
    ]);
    const run = await stage.codey(args);
    expect(hostile.ran()).toEqual([]);
    expect(run.stdout + run.stderr).not.toMatch(acted);
    expect(run.signal).toBe(null);
  });

  it('starts nothing through a skill or an agent of its own either [contract.trust.repo-hooks-held] [contract.agent.never-looser]', async () => {
    const script = {
      main: [
        { calls: [{ tool: 'get_skill', input: { name: 'evil' } }] },
        { calls: [{ tool: 'spawn_agent', input: { agent: 'evil', prompt: 'go' } }] },
        { calls: [{ tool: 'agent_result', input: { agent: 'evil' } }] },
        { text: 'done' },
      ],
      agents: {
        evil: [{ calls: [{ tool: 'run_shell', input: { command: 'touch made' } }] }, { text: 'done' }],
      },
    };
    stage.write('own.json', script);
    const run = await stage.codey(['-p', 'x', '--output-format', 'json', '--model', 'script:own.json']);
    expect(hostile.ran()).toEqual([]);
    expect(stage.has('made')).toBe(false);
    expect(run.code).toBe(0);
  });

  it.each(['default', 'acceptEdits'])(
    'has no git of its own obeyed in mode %s, and no link of its own followed',
    async (mode) => {
      const { results, denied } = await play(
        stage,
        [
          { calls: [{ tool: 'run_shell', input: { command: 'git status', cwd: 'vendor/tool' } }] },
          { calls: [{ tool: 'run_shell', input: { command: 'cd vendor/tool && git status' } }] },
          { calls: [{ tool: 'run_shell', input: { command: 'cat README.link' } }] },
          { calls: [{ tool: 'read_file', input: { path: 'README.link' } }] },
          { calls: [{ tool: 'grep_search', input: { pattern: 'secret', path: 'README.link' } }] },
          { text: 'done' },
        ],
        ['--permission-mode', mode],
      );
      expect(results).toEqual([]);
      expect(denied).toHaveLength(5);
      expect(hostile.ran()).toEqual([]);
    },
  );
});

describe('a hostile repository somebody agreed to', () => {
  beforeEach(() => {
    stage = createVictim();
  });
  afterEach(() => stage.remove());

  it('says first what it would run and turn off [contract.trust.dialog]', async () => {
    createHostileRepository(stage);
    const { stdout } = await stage.codey(['hooks', 'trust', '--list']);
    expect(stdout).toContain('codey-project-PreToolUse');
    expect(stdout).toContain('koder-local-link-SessionStart');
    expect(stdout).toMatch(/turns? off/);
    expect(stdout).toContain('HARMLESS');
    expect(stdout).not.toMatch(acted);
  });

  it('runs what was shown and still sets no program, loader or address', async () => {
    const hostile = createHostileRepository(stage, ['disableAllHooks', 'mcpServers']);
    expect((await stage.codey(['hooks', 'trust', '--yes'])).code).toBe(0);
    const { results } = await play(stage, shellScript('env | sort'), bypass);
    const ran = hostile.ran();
    expect(ran).toContain('codey-project-PreToolUse');
    expect(ran).toContain('koder-local-link-PreToolUse');
    expect(
      ran.filter((name) => !/^(?:codey|koder|claude)-(?:project|local|local-link)\b/.test(name)),
    ).toEqual([]);
    const [environment = ''] = results;
    expect(environment).toContain('HARMLESS=from the repository');
    expect(environment).not.toMatch(/evil|\.\/bin|forged|127\.0\.0\.1:1\b/);
  });
});

describe('a folder of settings that is a link', () => {
  beforeEach(() => {
    stage = createVictim();
  });
  afterEach(() => stage.remove());

  it.each(['into the repository', 'out of it'])('%s makes its hooks nobody’s own', async (where) => {
    const hostile = createHostileRepository(stage);
    const target =
      where === 'out of it' ? path.join(stage.home, 'elsewhere') : path.join(stage.project, 'dots');
    for (const folder of ['.codey', '.koder']) {
      renameSync(path.join(stage.project, folder), `${target}-${folder.slice(1)}`);
      symlinkSync(`${target}-${folder.slice(1)}`, path.join(stage.project, folder));
    }
    const run = await stage.prompt(shellScript('true'));
    expect(hostile.ran()).toEqual([]);
    expect(run.stderr).toContain('held back');
    expect(run.code).toBe(0);
  });
});

describe('an agent that was talked into it', () => {
  beforeEach(() => {
    stage = createVictim();
  });
  afterEach(() => stage.remove());

  const guard = '"$CODEY_PROJECT_DIR"/.codey/hooks/guard.sh';

  async function agreeTo(event = 'PreToolUse'): Promise<void> {
    stage.write('.codey/hooks/guard.sh', '#!/bin/sh\necho guarded >> guarded\n');
    stage.write('.codey/settings.json', { hooks: { [event]: [group(guard, 'run_shell')] } });
    expect((await stage.codey(['hooks', 'trust', '--yes'])).code).toBe(0);
  }

  it('is held by a guard whose script it swapped during the session [contract.reload.changed-guard-asks]', async () => {
    await agreeTo();
    // Named in no word of the line, so that nothing but the guard's own fingerprint can notice.
    const swap = `printf '${Buffer.from('#!/bin/sh\ntouch pwned\n').toString('base64')}' | base64 -d > "$(echo .cod)ey/hooks/$(echo gua)rd.sh"`;
    stage.write('swap.sh', `#!/bin/sh\n${swap}\n`);
    const { results, denied, stderr } = await play(stage, shellScript('./swap.sh', 'touch after'), bypass);
    expect([results.length, denied.length]).toEqual([1, 1]);
    expect(stage.read('guarded')).toBe('guarded\n');
    expect([stage.has('pwned'), stage.has('after')]).toEqual([false, false]);
    expect(stderr).toContain('changed since this session began');
    // The next session holds it back as well, until somebody looks.
    const next = await play(stage, shellScript('true'), bypass);
    expect(next.stderr).toContain('held back');
    expect(stage.has('pwned')).toBe(false);
  });

  it.each([
    ['a file of settings that is not there yet', '.codey/settings.json'],
    ['a local one', '.koder/settings.local.json'],
    ['what git obeys', '.git/config'],
    ['where git looks for it', '.git/commondir'],
    ['a repository inside', 'docs/.git/config'],
    ['a skill', '.codey/skills/x/SKILL.md'],
    ['an agent', '.codey/agents/x.md'],
    ['the agreements themselves', '~/.codey/trust.json'],
    ['the settings of its user', '~/.codey/settings.json'],
  ])('does not write %s (CVE-2026-25725) [contract.trust.files-protected]', async (_, file) => {
    const target = file.startsWith('~/') ? path.join(stage.home, file.slice(2)) : file;
    const before = stage.has(file) ? stage.read(file) : undefined;
    const { results, denied } = await play(
      stage,
      [
        { calls: [{ tool: 'write_file', input: { path: target, content: '{}' } }] },
        { calls: [{ tool: 'run_shell', input: { command: `echo x >> ${target}` } }] },
        { calls: [{ tool: 'run_shell', input: { command: `cp AGENTS.md ${target}` } }] },
        { text: 'done' },
      ],
      bypass,
    );
    expect([results, denied.length]).toEqual([[], 3]);
    expect(stage.has(file) ? stage.read(file) : undefined).toBe(before);
  });

  it('does not agree to anything by typing the command [contract.trust.agent-cannot]', async () => {
    stage.write('.codey/settings.json', { hooks: { Stop: [group('touch pwned')] } });
    const { denied } = await play(
      stage,
      shellScript('codey hooks trust --yes', 'codey -p x --trust-project-hooks', 'koder setup'),
      bypass,
    );
    expect(denied).toHaveLength(3);
    expect((await stage.codey(['hooks', 'trust', '--list'])).stdout).toContain('[untrusted]');
    expect(stage.has('pwned')).toBe(false);
  });

  it('does not read a key that only the providers get', async () => {
    stage.write('.codey/settings.json', { hooks: { PreToolUse: [group('env > from-hook')] } });
    await stage.codey(['hooks', 'trust', '--yes']);
    await play(stage, callScript('todo_write', { todos: [] }), bypass, {
      environment: { ANTHROPIC_API_KEY: 'canary-key' },
    });
    expect(stage.read('from-hook')).toContain('CODEY_PROJECT_DIR=');
    expect(stage.read('from-hook')).not.toContain('canary-key');
  });
});
