// `codey hooks import claude`: shown, backed up, appended, and never done by an agent.
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bypass, play } from './play.ts';
import { createStage, shellScript, type Stage } from './stage.ts';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../bin/codey.js', import.meta.url));

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const importing = (...flags: readonly string[]) => stage.codey(['hooks', 'import', 'claude', ...flags]);
const theirs = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] });

describe('codey hooks import claude', () => {
  it('appends to what is there, keeps comments, backs up, and does nothing twice', async () => {
    const before =
      '{\n  // mine\n  "hooks": {\n    "PreToolUse": [\n      {"hooks": [{"type": "command", "command": "true"}]} // first\n    ]\n  }\n}\n';
    stage.write('~/.codey/settings.json', before);
    stage.write('~/.claude/settings.json', {
      hooks: {
        PreToolUse: [{ matcher: 'Bash', ...theirs('~/guard.sh', { timeout: 5 }) }],
        Stop: [theirs('true')],
      },
    });
    const done = await importing();
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('+');
    expect(done.stdout).toContain('exit code 2 and "decision": "block" end the run here');
    const after = stage.read('~/.codey/settings.json');
    expect(after).toContain('// mine');
    expect(after).toContain('// first');
    expect(JSON.parse(after.replace(/\/\/.*$/gm, '')).hooks).toEqual({
      PreToolUse: [theirs('true'), { matcher: '^run_shell$', ...theirs('~/guard.sh', { timeout: 5 }) }],
      Stop: [theirs('true', { timeout: 600 })],
    });
    const [backup] = readdirSync(path.join(stage.home, '.codey')).filter((name) =>
      name.includes('before-import'),
    );
    expect(stage.read(`~/.codey/${backup}`)).toBe(before);
    expect((await stage.codey(['hooks', 'validate'])).code).toBe(0);

    const again = await importing();
    expect(again.stdout).toContain('is there already');
    expect(stage.read('~/.codey/settings.json')).toBe(after);
  });

  it('keeps each scope in its place, the repository’s untrusted and the local one out of git', async () => {
    stage.write('.claude/settings.json', { hooks: { Stop: [theirs('"$CLAUDE_PROJECT_DIR"/a.sh')] } });
    stage.write('.claude/settings.local.json', { hooks: { Stop: [theirs('b')] } });
    const done = await importing();
    expect(done.stdout).toContain('codey hooks trust');
    expect(JSON.parse(stage.read('.codey/settings.json')).hooks.Stop[0].hooks[0].command).toBe(
      '"$CODEY_PROJECT_DIR"/a.sh',
    );
    expect(JSON.parse(stage.read('.codey/settings.local.json')).hooks.Stop[0].hooks[0].command).toBe('b');
    expect(stage.read('.codey/.gitignore')).toContain('settings.local.json');
    expect(stage.has('~/.codey/settings.json')).toBe(false);
    expect((await stage.codey(['hooks', 'list'])).stdout).toContain('2 hooks: 2 untrusted');
  });

  it('takes the place of nothing that it cannot read', async () => {
    stage.write('~/.claude/settings.json', { hooks: { Stop: [theirs('a')] } });
    mkdirSync(path.join(stage.home, '.codey/settings.json/kept'), { recursive: true });
    const done = await importing();
    expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining('settings.json cannot be read') });
    expect(readdirSync(path.join(stage.home, '.codey'))).toEqual(['settings.json']);
  });

  it('writes nothing on a dry run, and nothing into a file that is broken', async () => {
    stage.write('~/.claude/settings.json', { hooks: { Stop: [theirs('printf "\u001b[2J"')] } });
    const dry = await importing('--dry-run');
    expect(dry.stdout).toContain('Dry run: nothing was written.');
    expect(dry.stdout).not.toContain('\u001b');
    expect(stage.has('~/.codey')).toBe(false);
    stage.write('~/.codey/settings.json', '{ "hooks": [');
    expect(await importing()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was not changed: line 1'),
    });
    expect(stage.read('~/.codey/settings.json')).toBe('{ "hooks": [');
  });

  it('says what cannot be imported, and where there is nothing', async () => {
    expect(await importing()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('There are no hooks of Claude Code here'),
    });
    stage.write('~/.claude/settings.json', {
      hooks: { PreToolUse: [{ matcher: 'NotebookEdit', ...theirs('a') }], Stop: theirs('b') },
    });
    const { stderr } = await importing();
    expect(stderr).toContain('not imported: PreToolUse never fires');
    expect(stderr).toContain('Stop takes a list of groups');
  });

  it('refuses inside a session [contract.trust.agent-cannot]', async () => {
    stage.write('~/.claude/settings.json', { hooks: { Stop: [theirs('a')] } });
    stage.write(
      'innocent.sh',
      `#!/bin/sh\n${process.execPath} ${program} hooks import claude; echo "exit $?"\n`,
    );
    const { results } = await play(stage, shellScript('./innocent.sh'), bypass);
    expect(results).toEqual([
      expect.stringContaining('codey hooks import does not work inside a codey session'),
    ]);
    expect(results[0]).toContain('exit 2');
    expect(stage.has('~/.codey/settings.json')).toBe(false);
  });
});
