// Every way out of the program: what is told, what is cut, and that nothing is left running.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bypass, play } from './play.ts';
import { group } from './settings.ts';
import { type Child, createStage, type RunOptions, shellScript, type Stage } from './stage.ts';
import { isRunning, until } from './waiting.ts';

const program = fileURLToPath(new URL('../bin/codey.js', import.meta.url));
const thrower = new URL('fixtures/throw-later.mjs', import.meta.url).href;

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

/** A hook or command that says that it runs and then does not end, whatever it is asked. */
const stubborn = (name: string) =>
  `trap "" TERM; echo $$ >> "$HOME/pids"; touch "$HOME/${name}"; while :; do sleep 1; done`;
const longCall = shellScript('echo $$ >> "$HOME/pids"; touch "$HOME/running"; sleep 300');

function pids(): readonly number[] {
  return stage.has('~/pids') ? stage.read('~/pids').trim().split('\n').map(Number) : [];
}

function lifecycle(): readonly string[] {
  return stage
    .journal()
    .filter(({ kind }) => kind === 'lifecycle')
    .map(({ event, reason, error }) => [event, reason, error].filter((part) => part !== '').join(' '));
}

/** What became of each hook that a signal or the end found running. */
function hooksOf(event: string): readonly unknown[] {
  return stage
    .journal()
    .filter((line) => line.kind === 'dispatch' && line.event === event)
    .flatMap(({ hooks }) => hooks as readonly { readonly outcome: string; readonly why?: string }[])
    .map(({ outcome, why }) => [outcome, why]);
}

/** Sends the signals, each when its file is there. */
function signalWhen(...steps: readonly (readonly [file: string, signal: NodeJS.Signals])[]): RunOptions {
  return {
    onStart: async (child: Child) => {
      for (const [file, signal] of steps) {
        await until(() => stage.has(`~/${file}`));
        child.kill(signal);
      }
    },
  };
}

describe('a normal end', () => {
  it('waits for the hooks of the end and names the one that takes long [koder.event.sessionend-on-exit]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        SessionEnd: [group('sleep 1.5; touch "$HOME/ended"')],
        session_end: ['touch "$HOME/told"'],
        Stop: [group('sleep 1.5; touch "$HOME/late"', undefined, { async: true })],
      },
    });
    const run = await stage.prompt([{ text: 'the answer' }]);
    expect(run).toMatchObject({ code: 0, stdout: 'the answer\n' });
    expect(run.stderr).toMatch(/SessionEnd hook .* has been running/);
    expect([stage.has('~/ended'), stage.has('~/told'), stage.has('~/late')]).toEqual([true, true, true]);
    expect(lifecycle().at(-1)).toBe('session_end exit');
  });

  it('is not waited for after Ctrl-C, and still ends the session', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        SessionEnd: [group(stubborn('ending'))],
        Stop: [group(stubborn('async'), undefined, { async: true })],
      },
    });
    const run = await stage.prompt([{ text: 'the answer' }], signalWhen(['ending', 'SIGINT']));
    expect(run.code).toBe(130);
    expect(hooksOf('SessionEnd')).toEqual([['cancelled', 'exit']]);
    expect(lifecycle().at(-1)).toBe('session_end exit');
    await until(() => !pids().some(isRunning));
  });
});

describe('a signal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    '%s ends call, run and session in order, whatever hooks do [contract.leave.budget] [codey.session.end-on-every-exit] [contract.cancel.kills-hooks]',
    async (signal) => {
      stage.write('~/.codey/settings.json', {
        hooks: {
          tool_result: [stubborn('a')],
          run_end: [stubborn('b'), 'echo told >> "$HOME/order"'],
          SessionEnd: [
            group(stubborn('c'), undefined, { timeout: 3600 }),
            group('echo ended >> "$HOME/order"'),
          ],
          session_end: [stubborn('d'), stubborn('e')],
        },
      });
      const run = await stage.prompt(longCall, { args: bypass, ...signalWhen(['running', signal]) });
      expect(run.code).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 }[signal]);
      expect(lifecycle().slice(-3)).toEqual([
        'tool_result cancelled',
        'run_end interrupted interrupted',
        'session_end signal',
      ]);
      expect(hooksOf('tool_result')).toEqual([['cancelled', 'exit']]);
      await until(() => !pids().some(isRunning));
    },
  );

  it('that comes while a hook holds the session shut leaves it shut [contract.order.open]', async () => {
    stage.write('~/.codey/settings.json', {
      hooks: {
        SessionStart: [group(stubborn('opening'))],
        SessionEnd: [group('touch "$HOME/ended"')],
        session_start: ['touch "$HOME/started"'],
      },
    });
    const run = await stage.prompt([{ text: 'a' }], signalWhen(['opening', 'SIGTERM']));
    expect([run.code, run.stdout]).toEqual([143, '']);
    expect(run.stderr).toMatch(/not opened: interrupted/);
    expect([stage.has('~/started'), stage.has('~/ended')]).toEqual([false, false]);
    expect(lifecycle()).toEqual([]);
    await until(() => !pids().some(isRunning));
  });

  it('ends the hooks of a gate, and the call behind it does not run [contract.cancel.gate-stays-shut] [contract.cancel.kills-hooks]', async () => {
    stage.write('~/.codey/settings.json', { hooks: { PreToolUse: [group(stubborn('guarding'))] } });
    const run = await stage.prompt(shellScript('touch "$HOME/made"'), {
      args: bypass,
      ...signalWhen(['guarding', 'SIGINT']),
    });
    expect(run.code).toBe(130);
    expect(stage.has('~/made')).toBe(false);
    expect(hooksOf('PreToolUse')).toEqual([['cancelled', 'interrupt']]);
    expect(lifecycle().slice(-2)).toEqual(['run_end interrupted interrupted', 'session_end signal']);
    await until(() => !pids().some(isRunning));
  });

  it('comes through while the program waits for a pipe that stays open', async () => {
    const child = spawn(
      process.execPath,
      [program, '-p', 'hi', '--model', `script:${stage.write('~/s.json', [{ text: 'a' }])}`],
      { cwd: stage.project, env: { ...process.env, HOME: stage.home }, stdio: ['pipe', 'ignore', 'ignore'] },
    );
    child.stdin.write('a beginning');
    await until(() => stage.has('.codey/events.jsonl') && lifecycle().includes('session_start startup'));
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    child.stdin.destroy();
    expect(code).toBe(130);
    expect(lifecycle().at(-1)).toBe('session_end signal');
  });

  it.runIf(process.platform === 'linux')(
    'for the second time ends at once, and the next start puts the rest in order [contract.journal.dead-owner]',
    async () => {
      stage.write('~/.codey/settings.json', { hooks: { run_end: [stubborn('telling')] } });
      const run = await stage.prompt(longCall, {
        args: bypass,
        ...signalWhen(['running', 'SIGINT'], ['telling', 'SIGTERM']),
      });
      expect(run.code).toBe(130);
      expect(lifecycle().at(-1)).toBe('run_end interrupted interrupted');
      stage.write('~/.codey/settings.json', {});
      expect((await stage.prompt([{ text: 'again' }], { args: ['-continue'] })).code).toBe(0);
      expect(lifecycle()).toContain('session_end crashed');
      expect(pids().some(isRunning)).toBe(false);
    },
  );
});

describe('a defect', () => {
  it.each(['throw', 'reject'])(
    'of the kind %s ends the session, is told, and is no success [codey.session.end-on-every-exit]',
    async (how) => {
      const run = await play(stage, longCall, bypass, {
        environment: {
          NODE_OPTIONS: `--import=${thrower}`,
          THROW_WHEN: `${stage.home}/running`,
          THROW_HOW: how,
        },
      });
      expect(run.code).toBe(1);
      expect(run.stderr).toMatch(/defect of codey: .*injected defect/);
      expect(lifecycle().slice(-3)).toEqual([
        'tool_result cancelled',
        'run_end interrupted interrupted',
        'session_end error injected defect',
      ]);
      await until(() => !pids().some(isRunning));
    },
  );
});

describe('a reader that goes away', () => {
  it.each([[['--help']], [['hooks', 'list']], [['hooks', 'schema']], [['rehearse', '--sample']]])(
    'does not break what %j does',
    async (args) => {
      const reader = '{ exec 0<&-; : > "$HOME/gone"; }';
      const writer =
        '{ until [ -e "$HOME/gone" ]; do sleep 0.01; done; "$0" "$@" 2> "$HOME/stderr"; echo $? > "$HOME/code"; }';
      const child = spawn('/bin/sh', ['-c', `${writer} | ${reader}`, process.execPath, program, ...args], {
        cwd: stage.project,
        env: { ...process.env, HOME: stage.home },
        stdio: 'ignore',
      });
      await once(child, 'exit');
      await until(() => stage.has('~/code') && stage.read('~/code') !== '');
      expect({ stderr: stage.read('~/stderr'), code: stage.read('~/code') }).toEqual({
        stderr: '',
        code: '0\n',
      });
    },
  );

  it('ends the run and the session, with no error of its own', async () => {
    const script = stage.write('~/s.json', [
      ...Array.from({ length: 50 }, () => ({
        text: 'x'.repeat(4096),
        calls: [{ tool: 'read_file', input: { path: '.git/HEAD' } }],
      })),
      { text: 'done' },
    ]);
    const child = spawn(
      '/bin/sh',
      [
        '-c',
        '"$0" "$@" 2> "$HOME/stderr" | head -n 1 > "$HOME/head"',
        process.execPath,
        program,
        '-p',
        'hi',
        '--output-format',
        'stream-json',
        '--model',
        `script:${script}`,
      ],
      { cwd: stage.project, env: { ...process.env, HOME: stage.home }, stdio: 'ignore' },
    );
    await once(child, 'exit');
    expect(stage.read('~/head')).toMatch(/^\{"type":"session"/);
    expect(stage.read('~/stderr')).not.toMatch(/EPIPE|defect|Error/);
    expect(lifecycle().slice(-2)).toEqual(['run_end interrupted interrupted', 'session_end exit']);
  });

  it.skipIf(process.platform !== 'linux').each(['text', 'json', 'stream-json'])(
    'fails and says so where a result as %s has no room',
    async (format) => {
      const script = stage.write('~/s.json', [{ text: 'done' }]);
      const full = openSync('/dev/full', 'w');
      const child = spawn(
        process.execPath,
        [program, '-p', 'hi', '--output-format', format, '--model', `script:${script}`],
        { cwd: stage.project, env: { ...process.env, HOME: stage.home }, stdio: ['ignore', full, 'pipe'] },
      );
      closeSync(full);
      let stderr = '';
      child.stderr?.on('data', (text) => {
        stderr += text;
      });
      expect(await once(child, 'close')).toEqual([1, null]);
      expect(stderr).toContain('codey: stdout could not be written: the disk is full');
    },
  );
});
