// `codey rehearse`: in a copy, with one's own hooks, and with expectations that can fail.
import { existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command, group } from './settings.ts';
import { createStage, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

const rehearse = (...args: readonly string[]) => stage.codey(['rehearse', ...args]);

describe('the sample', () => {
  it('plays outside a project, with a home of its own', async () => {
    const outside = path.join(stage.home, 'outside');
    mkdirSync(outside);
    const done = await stage.codey(['rehearse'], { cwd: outside });
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('a sample project with sample hooks');
    expect(done.stdout).toMatch(
      /PreToolUse {2}run_shell {2}→ deny\n +↳ no-push\.sh, settings\.json:\d+ {2}blocked/,
    );
    expect(done.stdout).toContain('Answer: The greeting ends with an exclamation mark now.');
    expect(existsSync(path.join(stage.home, '.codey'))).toBe(false);
  });

  it('plays inside one when asked to', async () => {
    expect((await rehearse('--sample')).stdout).toContain('greeter: a sample project');
    expect(stage.has('.codey')).toBe(false);
  });
});

describe('in a project', () => {
  it('lists the hooks first, runs them in a copy, and leaves project, home and journal alone', async () => {
    stage.write('notes/a.txt', 'original');
    stage.write('~/.codey/settings.json', {
      hooks: {
        PreToolUse: [{ hooks: [command('echo no >&2; exit 2', { if: 'run_shell(*git push*)' })] }],
        PostToolUse: [group('pwd > seen; git log --oneline >> seen; cat seen >> "$HOME/seen"', 'edit_file')],
      },
    });
    const done = await rehearse();
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout.indexOf('2 hooks: 2 active')).toBeLessThan(done.stdout.indexOf('session_start'));
    expect(done.stdout).toContain('→ deny');
    expect(done.stdout).toContain('Answer: That was the rehearsal.');
    const [workspace, commit] = stage.read('~/seen').split('\n');
    expect(workspace).toMatch(/codey-rehearsal-[^/]+\/project$/);
    expect(commit).toContain('as it was');
    expect(existsSync(workspace!)).toBe(false);
    expect(['seen', 'rehearsal-note.txt', '.codey'].filter((file) => stage.has(file))).toEqual([]);
    expect(stage.has('~/.codey/projects')).toBe(false);
  });

  it('says of each hook that is off what turned it off', async () => {
    const hooks = { SessionStart: [group('true')], Stop: [group('exit 0')] };
    stage.write('~/.codey/settings.json', { hooks });
    stage.write('.codey/settings.json', { hooks: { Stop: [group('./guard.sh')] } });
    expect((await rehearse('--bare')).stdout).toContain(
      'SessionStart  [disabled: --bare leaves this event out]',
    );
    const [id] = /Stop:[0-9a-f]{8}/.exec((await stage.codey(['hooks', 'list'])).stdout) ?? [];
    stage.write('~/.codey/settings.json', { hooks, disabledHooks: [id] });
    const { stdout } = await rehearse('--no-project-hooks');
    expect(stdout).toContain('Stop  [disabled: disabledHooks names it]');
    expect(stdout).toContain('Stop  [disabled: --no-project-hooks]');
  });

  it('judges trust where the project stands', async () => {
    stage.write('.codey/settings.json', { hooks: { Stop: [group('./guard.sh')] } });
    stage.write('guard.sh', '#!/bin/sh\ntouch "$HOME/guarded"\n');
    expect((await rehearse()).stderr).toContain('1 hook of this repository is held back');
    expect(stage.has('~/guarded')).toBe(false);
    await stage.codey(['hooks', 'trust', '--yes']);
    expect(await rehearse()).toMatchObject({ code: 0, stderr: '' });
    expect(stage.has('~/guarded')).toBe(true);
  });

  it('copies what is tracked or unignored and what hooks name, and no link that leads out', async () => {
    stage.write('.gitignore', 'built/\n.codey/hooks/\n');
    stage.write('built/large.txt', 'x');
    stage.write('untracked.txt', 'x');
    stage.write('.codey/hooks/look.sh', '#!/bin/sh\nls -A . > "$HOME/files"\n');
    stage.write('.codey/settings.json', { hooks: { SessionStart: [group('.codey/hooks/look.sh')] } });
    symlinkSync(stage.home, path.join(stage.project, 'out'));
    symlinkSync('untracked.txt', path.join(stage.project, 'in'));
    await stage.codey(['hooks', 'trust', '--yes']);
    expect(await rehearse()).toMatchObject({ code: 0, stderr: '' });
    const files = stage.read('~/files').split('\n').filter(Boolean);
    expect(files).toEqual(expect.arrayContaining(['.codey', '.git', '.gitignore', 'in', 'untracked.txt']));
    expect(files).not.toEqual(expect.arrayContaining(['built']));
    expect(files).not.toContain('out');
  });

  it('refuses to copy more than 200 MB', async () => {
    truncateSync(stage.write('large.bin', ''), 201 * 1024 * 1024);
    expect(await rehearse()).toMatchObject({ code: 2, stderr: expect.stringContaining('more than 200 MB') });
  });

  it('leaves out what reaches beyond this machine, and says so', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        PreToolUse: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1:9/' }] }],
        Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is it done?' }, command('true')] }],
      },
    });
    const quiet = await rehearse();
    expect(quiet).toMatchObject({ code: 0, stderr: '' });
    expect(quiet.stdout).toContain('2 of them reach beyond this machine and will not run');
    expect(quiet.stdout).toContain('skipped (rehearsal)');
    const live = await rehearse('--live');
    expect(live.stderr).toContain('PreToolUse hook 127.0.0.1:9, settings.json');
    expect(live.stdout).not.toContain('skipped (rehearsal)');
  });
});

describe('a story', () => {
  const story = (text: string): void => writeFileSync(path.join(stage.project, 'story.yaml'), text);
  beforeEach(() => {
    stage.write('~/.codey/no-push.sh', '#!/bin/sh\necho "pushes are done from CI" >&2\nexit 2\n');
    stage.write('~/.codey/settings.json', {
      hooks: {
        PreToolUse: [
          {
            matcher: 'run_shell',
            hooks: [command('"$HOME"/.codey/no-push.sh', { if: 'run_shell(git push*)' })],
          },
        ],
      },
    });
  });
  const push = 'main:\n  - calls: [{tool: run_shell, input: {command: git push}}]\n  - text: done\n';

  it('passes when what it expects comes', async () => {
    story(
      `prompt: Push it.\n${push}expect:\n  - {event: PreToolUse, tool: run_shell, decision: block, outcomes: {no-push.sh: blocked}}\n  - {gate: denied, by: PreToolUse}\n  - {event: tool_start, times: 0}\n  - {event: run_end, reason: completed}\n`,
    );
    const done = await rehearse('story.yaml');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('Prompt: Push it.');
    expect(done.stdout).toContain('4 of 4 expectations met');
  });

  it('fails with what came in its place', async () => {
    story(`${push}expect:\n  - {event: PreToolUse, decision: allow}\n  - {event: StopFailure}\n`);
    const done = await rehearse('story.yaml');
    expect(done.code).toBe(1);
    expect(done.stdout).toContain('not met  story.yaml:5  event PreToolUse, decision allow');
    expect(done.stdout).toContain('came: PreToolUse run_shell deny no-push.sh: blocked');
    expect(done.stdout).toContain(
      'not met  story.yaml:6  event StopFailure\n           nothing of the kind came',
    );
    expect(done.stdout).toContain('0 of 2 expectations met');
  });

  it('may expect a run that fails; without expectations that is a failure', async () => {
    const failing = 'main:\n  - error: no more credit\n';
    story(`${failing}expect: [{event: run_end, reason: error}]\n`);
    expect((await rehearse('story.yaml')).code).toBe(0);
    story(failing);
    const done = await rehearse('story.yaml');
    expect(done.code).toBe(1);
    expect(done.stdout).toContain('the run ended as error: ');
  });

  it('has a person who says no where it says so', async () => {
    story(
      'approve: false\nmain:\n  - calls: [{tool: write_file, input: {path: a.txt, content: x}}]\n  - text: done\nexpect:\n  - {event: unblocked, reason: denied}\n  - {event: PermissionDenied}\n',
    );
    expect(await rehearse('story.yaml')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('answers no'),
    });
  });

  it('is named in what is wrong with it, also in the part that is the model’s', async () => {
    story('prompt: Do it.\nmain:\n  - txt: hello\n');
    expect(await rehearse('story.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('story.yaml:3:5'),
    });
    expect((await rehearse('story.yaml')).stderr).not.toContain('codey-rehearsal-');
    expect(await rehearse('none.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('none.yaml cannot be read: ENOENT'),
    });
  });
});
