// Hook programs that others published for Claude Code, obeyed by the whole program: from settings, from plugins, imported.
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installPrograms } from '../../../scripts/claude-programs/install.ts';
import { bypass, callScript, play as playOn, type Played } from './play.ts';
import { group } from './settings.ts';
import { createStage, type RunOptions, type ScriptEntry, shellScript, type Stage } from './stage.ts';

const fixtures = fileURLToPath(new URL('fixtures/claude-plugin', import.meta.url));

let modules: string;
let stage: Stage;

beforeAll(async () => {
  modules = path.join(await installPrograms(), 'node_modules');
}, 300_000);
beforeEach(() => {
  stage = createStage();
  stage.write('~/.codey/settings.json', { claudeHooks: true });
});
afterEach(() => stage.remove());

function options(): RunOptions {
  return {
    environment: {
      PATH: [path.join(modules, '.bin'), process.env.PATH].join(path.delimiter),
      // The programs are shared by runs and stay as they were installed.
      PYTHONDONTWRITEBYTECODE: '1',
    },
  };
}

function play(script: readonly ScriptEntry[], args: readonly string[] = bypass): Promise<Played> {
  return playOn(stage, script, args, options());
}

/** Everything in the project, committed. */
function commit(): void {
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
}

function git(...args: readonly string[]): string {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid'];
  return execFileSync('git', [...who, ...args], { cwd: stage.project, encoding: 'utf8' }).trim();
}

async function codey(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await stage.codey(args, options());
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

describe('in the user’s settings for Claude Code', () => {
  const settings = (hooks: object) => stage.write('~/.claude/settings.json', { hooks });

  it('cc-safety-net keeps a hard reset back and lets git status run', async () => {
    settings({ PreToolUse: [group('cc-safety-net hook --claude-code', 'Bash|Read')] });
    stage.write('a.txt', 'committed\n');
    commit();
    stage.write('a.txt', 'changed\n');
    const { denied, results } = await play(shellScript('git reset --hard', 'git status --short'));
    expect(denied).toEqual([expect.stringContaining('destroys all uncommitted changes')]);
    expect(results).toEqual([expect.stringContaining('M a.txt')]);
    expect(stage.read('a.txt')).toBe('changed\n');
  });

  it('prettier formats what was written before the model goes on with it', async () => {
    const format = `node -p 'JSON.parse(fs.readFileSync(0)).tool_input.file_path' | xargs prettier --write`;
    settings({ PostToolUse: [group(format, 'Edit|Write')] });
    const edit = { path: 'a.ts', old_string: 'const a = "x";', new_string: "const a  =  'y'" };
    const { results } = await play([
      { calls: [{ tool: 'write_file', input: { path: 'a.ts', content: "const a = 'x'" } }] },
      { calls: [{ tool: 'read_file', input: { path: 'a.ts' } }] },
      { calls: [{ tool: 'edit_file', input: edit }] },
      { text: 'done' },
    ]);
    expect(results[1]).toContain('const a = "x";');
    expect(stage.read('a.ts')).toBe('const a = "y";\n');
  });

  it('ecc-universal keeps a log of commands, without what is secret in them', async () => {
    const log = path.join(modules, 'ecc-universal/scripts/hooks/post-bash-command-log.js');
    settings({ PostToolUse: [group(`node '${log}' audit`, 'Bash')] });
    await play(shellScript('echo one', 'echo --token=abc'));
    const said = stage.read('~/.claude/bash-commands.log').trimEnd().split('\n');
    expect(said.map((line) => line.replace(/^\[.*?\] /, ''))).toEqual([
      'echo one',
      'echo --token=<REDACTED>',
    ]);
  });

  it('comment-checker has its objection told to the model beside the result', async () => {
    settings({ PostToolUse: [group('comment-checker', 'Write|Edit|MultiEdit')] });
    const content = '// this function adds two numbers\nexport const one = 1;\n';
    const { results, result } = await play(callScript('write_file', { path: 'a.ts', content }));
    expect(results).toEqual([expect.stringContaining('this function adds two numbers')]);
    expect([result.is_error, stage.read('a.ts')]).toEqual([false, content]);
  });

  it('block-no-verify refuses imported as well as as it was', async () => {
    settings({ PreToolUse: [group('block-no-verify', 'Bash')] });
    const refused = async () => (await play(shellScript('git commit --no-verify -m x', 'echo on'))).denied;
    const reason = [expect.stringContaining('--no-verify flag is not allowed')];
    expect(await refused()).toEqual(reason);
    stage.write('~/.codey/settings.json', {});
    expect(await refused()).toEqual([]);
    expect(await codey('hooks', 'import', 'claude')).toContain('block-no-verify');
    expect(await refused()).toEqual(reason);
  });
});

it('in a repository, sensitive-canary refuses a prompt with a token as soon as the user agreed to it', async () => {
  symlinkSync(modules, path.join(stage.project, 'node_modules'));
  const dist = '"$CLAUDE_PROJECT_DIR/node_modules/@coo-quack/sensitive-canary/dist';
  stage.write('.claude/settings.json', {
    hooks: { UserPromptSubmit: [group(`node ${dist}/user-prompt-submit-hook.js"`)] },
  });
  const script = stage.write('~/script.json', [{ text: 'hello' }]);
  const submit = (...args: readonly string[]) =>
    stage.codey(['-p', `use ghp_${'a1B2'.repeat(9)}`, '--model', `script:${script}`, ...args], options());
  expect(await submit()).toMatchObject({ code: 0, stdout: 'hello\n' });
  const { code, stdout, stderr } = await submit('--trust-project-hooks');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('GitHub');
});

describe('as a plugin', () => {
  async function enableSelfish(): Promise<void> {
    await codey('plugin', 'install', path.join(modules, 'selfish-pipeline'));
    await codey('plugin', 'enable', 'selfish');
  }

  it('selfish guards its pipeline: a forced push, the permission for tests, the end of a turn', async () => {
    await enableSelfish();
    stage.write('.claude/.selfish-active', 'cart\n');
    stage.write('.claude/.selfish-phase', 'implement\n');
    stage.write('package.json', { scripts: { test: 'echo tested' } });
    execFileSync('git', ['init', '--quiet', '--bare', path.join(stage.home, 'remote')]);
    commit();
    git('remote', 'add', 'origin', path.join(stage.home, 'remote'));
    const { denied, results, lines } = await play(
      shellScript('git push --force origin HEAD', 'npm test'),
      [],
    );
    expect(denied).toEqual([expect.stringContaining('git push --force is blocked during pipeline')]);
    expect(git('ls-remote', 'origin')).toBe('');
    // Without bypassPermissions nobody else would have said yes.
    expect(results).toEqual([expect.stringContaining('tested')]);
    // Sent back once, since it answers the second time that a hook has had its say.
    const answers = lines.filter(({ type }) => type === 'answer').map(({ text }) => text);
    expect(answers.slice(-2)).toEqual(['All done.', '(script ended)']);
  });

  it('does not count before the user says that hooks of that format run', async () => {
    await enableSelfish();
    stage.write('~/.codey/settings.json', { plugins: { selfish: true } });
    const { results, stderr } = await play(shellScript('echo on'));
    expect(results).toEqual(['on']);
    expect(stderr).toContain('the hooks of the plugin selfish were written for Claude Code');
    expect(await stage.codey(['hooks', 'list'])).toMatchObject({
      stdout: expect.stringContaining('No hooks.'),
    });
  });

  it('one compiled with @goodfoot/claude-code-hooks rewrites a command', async () => {
    const folder = path.join(stage.home, 'dry-run');
    stage.write('~/dry-run/.claude-plugin/plugin.json', { name: 'dry-run' });
    stage.write('~/dry-run/hooks/.keep', '');
    symlinkSync(modules, path.join(folder, 'node_modules'));
    stage.write('~/dry-run/src/dry-run.ts', readFileSync(path.join(fixtures, 'dry-run.mjs'), 'utf8'));
    execFileSync(path.join(modules, '.bin/claude-code-hooks'), ['-i', 'src/*.ts', '-o', 'hooks/hooks.json'], {
      cwd: folder,
      stdio: 'ignore',
    });
    stage.write('~/.codey/settings.json', { claudeHooks: true, plugins: { 'dry-run': { path: folder } } });
    stage.write('new.txt', 'untracked\n');
    const { results } = await play(shellScript('git clean -f new.txt'));
    expect(results).toEqual([expect.stringContaining('Would remove new.txt')]);
    expect(stage.has('new.txt')).toBe(true);
  });
});
