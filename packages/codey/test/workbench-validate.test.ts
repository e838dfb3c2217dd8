// `codey hooks validate`, `list` and `schema`: what is wrong, what is hardly meant, what is in force.
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command, group } from './settings.ts';
import { createStage, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const userHooks = (hooks: object): void => void stage.write('~/.codey/settings.json', { hooks });
async function warnings(): Promise<readonly string[]> {
  const done = await stage.codey(['hooks', 'validate', '--json']);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(done.stdout).warnings.map(
    ({ message, hint }: { message: string; hint: string }) => `${message} (${hint})`,
  );
}

describe('codey hooks validate warns of', () => {
  it.each([
    [
      'a matcher that fits no tool',
      group('true', 'Bash'),
      'the matcher "Bash" matches, so this hook never runs (did you mean "run_shell"?)',
    ],
    ['several names of another agent', group('true', 'Edit|Write'), '(did you mean "edit_file|write_file"?)'],
    ['a mistyped tool', group('true', 'run_shel$'), '(did you mean "run_shell"?)'],
    [
      'an "if" that fits no tool',
      { hooks: [command('true', { if: 'shell(git *)' })] },
      'no tool is called as "if" says in "shell(git *)"',
    ],
    [
      'a matcher and an "if" that exclude each other',
      { matcher: 'edit_file', hooks: [command('true', { if: 'run_shell(git *)' })] },
      'the matcher "edit_file" and the "if" "run_shell(git *)" never fit the same tool',
    ],
    [
      'a timeout in milliseconds',
      group('true', undefined, { timeout: 2000 }),
      '"timeout" is in seconds, and 2000 of them are 33 minutes (did you mean 2?)',
    ],
    ['a script that is not there', group('python3 guard.py'), 'this hook cannot start: there is no '],
    ['a program that is not on PATH', group('no-such-linter --fix'), 'there is no no-such-linter on PATH'],
  ])('%s', async (_, entry, message) => {
    userHooks({ PreToolUse: [entry] });
    expect(await warnings()).toEqual([expect.stringContaining(message)]);
  });

  it('a script that may not be executed, and one whose interpreter is missing', async () => {
    chmodSync(stage.write('plain.sh', '#!/bin/sh\n'), 0o644);
    stage.write('odd.sh', '#!/usr/bin/env no-such-runtime\n');
    userHooks({ Stop: [group('./plain.sh'), group('"$CODEY_PROJECT_DIR"/odd.sh')], run_end: ['./plain.sh'] });
    const plain = path.join(stage.project, 'plain.sh');
    // Also for root, who may execute only what has the bit for somebody.
    expect(await warnings()).toEqual([
      `this hook cannot start: ${plain} may not be executed (chmod +x ${plain})`,
      expect.stringContaining('odd.sh is run by no-such-runtime, which is not there'),
      `this hook cannot start: ${plain} may not be executed (chmod +x ${plain})`,
    ]);
  });

  it('hooks hidden by a copy, in one file and across files', async () => {
    userHooks({ Stop: [group('true'), group('true')], run_end: ['true'] });
    stage.write('.codey/settings.json', { hooks: { run_end: ['true'], PreToolUse: [group('true')] } });
    expect(await warnings()).toEqual([
      expect.stringContaining('the same Stop hook stands in line 6 and runs in place of this one'),
      expect.stringContaining('the same run_end hook stands in settings.json:'),
    ]);
  });

  it('a path that the shell takes apart, where the project’s folder has a space in its name', async () => {
    stage.write('my project/.git/HEAD', '');
    const guard = stage.write('my project/guard.sh', '#!/bin/sh\n');
    const lines = ['$CODEY_PROJECT_DIR/guard.sh', 'sh ${KODER_PROJECT_DIR}/guard.sh'];
    const quoted = [
      '"$CODEY_PROJECT_DIR"/guard.sh',
      'echo \'$CODEY_PROJECT_DIR\' "a \\" $CODEY_PROJECT_DIR"',
    ];
    userHooks({ Stop: [...lines, ...quoted].map((line) => group(line)) });
    const { stdout } = await stage.codey(['hooks', 'validate'], { cwd: path.dirname(guard) });
    const split = stdout.split('\n').filter((line) => line.includes('the shell splits'));
    expect(split).toEqual([
      expect.stringContaining('splits $CODEY_PROJECT_DIR at the space in'),
      expect.stringContaining('(put it in quotes: "${KODER_PROJECT_DIR}")'),
    ]);
    expect(stdout).not.toContain('cannot start');
    expect((await warnings()).filter((warning) => warning.includes('splits'))).toEqual([]);
  });

  it('nothing that is well meant', async () => {
    stage.write('guard.py', '');
    userHooks({
      PreToolUse: [
        group('python3 guard.py', 'run_shell|edit_file'),
        group('true', '^mcp__wiki__'),
        group('true', undefined, { timeout: 1800 }),
        { matcher: 'run_shell', hooks: [command('true', { if: 'run_shell(git *)' })] },
        { matcher: 'run_shell', hooks: [command('true', { if: 'run_shell(npm *)' })] },
        { hooks: [command('true', { if: 'mcp__wiki__*' })] },
        group('for f in *; do echo "$f"; done'),
        group('LINT=1 sh -c "exit 0"'),
      ],
      SessionStart: [group('true', 'resume')],
    });
    expect(await warnings()).toEqual([]);
  });
});

describe('codey hooks validate', () => {
  it('ends with 2 for problems only, and lists all of them with the warnings of their file', async () => {
    stage.write('.codey/settings.json', {
      hooks: { PreTolUse: [], Stop: [group('true', undefined, { timeout: 5000 })] },
    });
    userHooks({ PreToolUse: [group('true', 'Bash')] });
    const { code, stdout } = await stage.codey(['hooks', 'validate']);
    expect(code).toBe(2);
    expect(stdout).toContain('ok   ');
    expect(stdout).toContain('warning: ');
    expect(stdout).toContain('bad  ');
    expect(stdout).toContain('2 problems: the program does not start until they are corrected.');
  });

  it('reads files that are named by themselves', async () => {
    stage.write('other.json', { hooks: { blocked: 'true' } });
    expect((await stage.codey(['hooks', 'validate', 'other.json'])).code).toBe(2);
    expect(await stage.codey(['hooks', 'validate', 'none.json'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no '),
    });
  });
});

describe('codey hooks list', () => {
  it('shows every hook with where it stands, what runs and why it would not', async () => {
    stage.write('.codey/settings.json', { hooks: { Stop: [group('echo "\u001b[2Jhidden"', undefined)] } });
    userHooks({
      run_end: ['true'],
      PreToolUse: [{ matcher: 'run_shell', hooks: [command('true', { if: 'run_shell(rm *)' })] }],
    });
    const { stdout } = await stage.codey(['hooks', 'list']);
    expect(stdout).toContain('PreToolUse  (matcher run_shell, if run_shell(rm *))  [active]');
    expect(stdout).toContain('Stop  [untrusted: you have not agreed to it: codey hooks trust]');
    expect(stdout).toContain('3 hooks: 2 active, 1 untrusted');
    expect(stdout).not.toContain('\u001b');
  });

  it('says what changed of a hook that was agreed to', async () => {
    stage.write('guard.sh', 'true');
    stage.write('.codey/settings.json', { hooks: { Stop: [group('./guard.sh')] } });
    await stage.codey(['hooks', 'trust', '--yes']);
    stage.write('guard.sh', 'false');
    const { stdout } = await stage.codey(['hooks', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([
      { event: 'Stop', state: 'modified', why: 'guard.sh changed: codey hooks trust', runs: './guard.sh' },
    ]);
  });
});

describe('codey hooks schema', () => {
  it('describes the settings to editors', async () => {
    const schema = JSON.parse((await stage.codey(['hooks', 'schema'])).stdout);
    expect(schema).toMatchObject({ title: 'Codey settings', type: 'object' });
    expect(Object.keys(schema.properties.hooks.properties)).toEqual(
      expect.arrayContaining(['PreToolUse', 'run_start', 'blocked']),
    );
  });
});

describe('settings that do not load', () => {
  it.each([
    ['hooks', 'list'],
    ['hooks', 'trust'],
    ['mcp', 'list'],
    ['plugin', 'list'],
  ])('keep codey %s %s from its work, which says so in its own name', async (...words) => {
    userHooks({ PreToolUze: [group('true')] });
    const run = await stage.codey(words);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(`codey ${words.join(' ')} was not done: a problem in a settings file.`);
    expect(run.stderr).not.toMatch(/did not start|start again/);
  });
});
