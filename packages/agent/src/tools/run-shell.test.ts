import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outputCap } from './output.ts';
import { runShell } from './run-shell.ts';
import { shellKill } from './shell-kill.ts';
import { shellOutput } from './shell-output.ts';
import { createToolWorld, type ToolWorld } from './tool-world.ts';

let world: ToolWorld;
beforeEach(async () => {
  world = await createToolWorld();
});
afterEach(() => world.dispose());

function run(command: string, more: object = {}, changes = {}) {
  return world.call(runShell, { command, ...more }, changes);
}

function ok(output: string) {
  return { kind: 'ok', output };
}

function failed(output: string, error = 'failed') {
  return { kind: 'failed', error, output };
}

describe('run_shell', () => {
  it('returns what a command prints, both streams in order', async () => {
    expect(await run('echo one; sleep 0.2; echo two >&2; sleep 0.2; echo three')).toEqual(
      ok('one\ntwo\nthree'),
    );
    expect(await run('true')).toEqual(ok('[no output]'));
  });

  it('says that a command failed, with its output as the result [codey.tool.result-tells-failure] [koder.event.posttooluse-error-text]', async () => {
    expect(await run('echo out; exit 3')).toEqual(failed('out\n[exit code 3]'));
    expect(await run('no-such-command-anywhere')).toMatchObject({
      kind: 'failed',
      output: expect.stringMatching(/not found[\s\S]*\[exit code 127\]$/),
    });
    expect(await run('kill -9 $$')).toEqual(failed('[no output]\n[ended by SIGKILL]'));
  });

  it('speaks bash', async () => {
    expect(await run('a=(1 2); echo ${a[1]} && [[ x == x ]]')).toEqual(ok('2'));
  });

  it('falls back to sh where there is no bash', async () => {
    await mkdir(world.path('bin'));
    const environment = { PATH: world.path('bin') };
    expect(await run('echo "${BASH_VERSION:-none}"', {}, { environment })).toEqual(ok('none'));
  });

  it('gives programs the environment of the session [koder.env.env-file-injects]', async () => {
    const environment = { ...world.context.environment, FROM_HOOK: 'set' };
    expect(await run('echo $FROM_HOOK', {}, { environment })).toEqual(ok('set'));
  });

  it('runs in the current directory, or in cwd', async () => {
    await mkdir(world.path('d'));
    expect(await run('pwd')).toEqual(ok(world.workspace));
    expect(await run('pwd -P', { cwd: 'd' })).toEqual(ok(world.path('d')));
    expect(await run('pwd -P', { cwd: '..' }, { cwd: world.path('d') })).toEqual(ok(world.workspace));
  });

  it('runs nothing where cwd is no directory', async () => {
    await world.files({ f: '' });
    await symlink('loop', world.path('loop'));
    const script = 'touch ran';
    expect(await run(script, { cwd: 'none' })).toEqual(
      failed('The command was not run: cwd none does not exist.'),
    );
    expect(await run(script, { cwd: 'f' })).toEqual(
      failed('The command was not run: cwd f is not a directory.'),
    );
    expect(await run(script, { cwd: 'loop' })).toMatchObject({ kind: 'failed' });
    expect(await run('a\0b')).toMatchObject({ kind: 'failed', output: expect.stringMatching(/NUL/) });
    expect(existsSync(world.path('ran'))).toBe(false);
  });

  it('finds nothing to read', async () => {
    expect(await run('cat; read line; echo "[$line] $?"')).toEqual(ok('[] 1'));
    expect(await run('test -t 0 || test -t 1 || echo no terminal')).toEqual(ok('no terminal'));
  });

  it('reports output while the command runs, before colours and the middle are taken out', async () => {
    const reported: string[] = [];
    const report = (text: string) => reported.push(text);
    expect(await run("printf '\\033[31mred\\033[0m\\n'", {}, { report })).toEqual(ok('red'));
    expect(reported.join('')).toBe('\x1b[31mred\x1b[0m\n');
  });

  it('keeps the head and the tail of much output', async () => {
    const result = await run('echo first; seq 1 200000; echo last');
    expect(result.output.length).toBeLessThan(outputCap + 100);
    expect(result.output).toMatch(
      /^first\n1\n2\n[\s\S]*\n\[… 1,258,\d{3} characters left out here …\]\n[\s\S]*200000\nlast$/,
    );
  });

  it('leaves characters whole that arrive in pieces', async () => {
    expect(await run("printf '\\xe2\\x82'; sleep 0.2; printf '\\xac\\n'")).toEqual(ok('€'));
  });

  it('ends a command at its timeout with all it started', async () => {
    const result = await run('echo begun; sleep 300 & sleep 300', { timeout: 1 });
    expect(result).toEqual(
      failed(
        'begun\n[timed out after 1 seconds and was ended with all it started]\n[Give a timeout of up to 600 seconds, or run it with background: true.]',
        'timed-out',
      ),
    );
  });

  it('ends a command when the turn is interrupted', async () => {
    const stop = new AbortController();
    const report = () => stop.abort();
    const result = await run('echo begun; sleep 300', {}, { signal: stop.signal, report });
    expect(result).toEqual(failed('begun\n[was cancelled and ended with all it started]', 'cancelled'));
    expect(await run('touch ran', {}, { signal: stop.signal })).toMatchObject({ error: 'cancelled' });
    expect(existsSync(world.path('ran'))).toBe(false);
  });

  it('does not wait for what a command leaves running, and says that it did', async () => {
    const result = await run('sleep 300 & echo $! > pid; echo started');
    expect(result).toEqual(ok('started\n[left 1 process running]'));
    process.kill(Number(await readFile(world.path('pid'), 'utf8')));
  });

  it('takes a command line as long as the system does', async () => {
    expect(await run(`: ${'x'.repeat(100_000)}; echo done`)).toEqual(ok('done'));
    const tooLong = await run(`: ${'x'.repeat(200_000)}`);
    if (process.platform === 'linux') {
      expect(tooLong).toMatchObject({
        kind: 'failed',
        output: expect.stringMatching(/could not be run: .*E2BIG/),
      });
    }
  });

  it('tests its command line in rules and conditions [koder.if.command-argument]', () => {
    expect(runShell.subject({ command: 'git push' })).toEqual({ kind: 'command', line: 'git push' });
  });
});

describe('background commands', () => {
  async function started(command: string): Promise<string> {
    const result = await run(command, { background: true });
    return /as (shell-\d+)/.exec(result.output)?.[1] ?? result.output;
  }

  it('are read piece by piece until they have ended', async () => {
    const go = world.path('go');
    const id = await started(`echo one; until [ -e '${go}' ]; do sleep 0.05; done; echo two; exit 4`);
    let printed = '';
    while (!printed.includes('one')) {
      await setImmediate();
      printed += (await world.call(shellOutput, { id })).output;
    }
    expect(printed).toContain(`[${id} is running]`);
    await world.files({ go: '' });
    expect(await world.call(shellOutput, { id, wait: 60 })).toEqual(
      ok(`[${id} has ended: exit code 4]\ntwo`),
    );
    expect(await world.call(shellOutput, { id })).toEqual(
      ok(`[${id} has ended: exit code 4]\n[no new output]`),
    );
  });

  it('outlive the turn that started them', async () => {
    const stop = new AbortController();
    const result = await run('sleep 300', { background: true }, { signal: stop.signal });
    stop.abort();
    expect(result.output).toContain('shell-1');
    expect((await world.call(shellOutput, { id: 'shell-1' })).output).toContain('is running');
    const waiting = await world.call(shellOutput, { id: 'shell-1', wait: 600 }, { signal: stop.signal });
    expect(waiting).toMatchObject({ kind: 'failed', error: 'cancelled' });
  });

  it('are ended with all they started', async () => {
    const id = await started('sleep 300 & echo $! > child; wait');
    const childOf = async () => Number(await readFile(world.path('child'), 'utf8').catch(() => 0));
    while (!(await childOf())) await setImmediate();
    const child = await childOf();
    expect(await world.call(shellKill, { id })).toMatchObject({ kind: 'ok' });
    expect(await world.context.processes.settle(20_000)).toBe(true);
    expect(isRunning(child)).toBe(false);
    expect((await world.call(shellOutput, { id })).output).toContain('was cancelled');
  });

  it('are bounded in number and in what is kept of each', async () => {
    const noisy = await started('seq 1 200000');
    const report = await world.call(shellOutput, { id: noisy, wait: 60 });
    expect(report.output.length).toBeLessThan(outputCap + 200);
    for (let number = 0; number < 8; number++) await started('sleep 300');
    expect(await run('sleep 300', { background: true })).toMatchObject({
      kind: 'failed',
      output: expect.stringMatching(
        /^The command was not started: too many run in the background \(shell-1, /,
      ),
    });
    await world.call(shellKill, { id: 'shell-2' });
    expect(await started('true')).toMatch(/^shell-\d+$/);
  });

  it('of other names are not known', async () => {
    expect(await world.call(shellOutput, { id: 'x' })).toEqual(
      failed('There is no background command x. None was started.'),
    );
    const id = await started('true');
    expect(await world.call(shellKill, { id: 'x' })).toEqual(
      failed(`There is no background command x. There are: ${id}.`),
    );
  });

  it('all end when the session closes, and none starts afterwards', async () => {
    await started('sleep 300');
    await world.context.background.close();
    expect(await run('true', { background: true })).toMatchObject({ kind: 'failed' });
    expect(await world.context.processes.settle(20_000)).toBe(true);
  });

  it('tell why they could not be started', async () => {
    const id = await started(`: ${'x'.repeat(200_000)}`);
    const report = await world.call(shellOutput, { id, wait: 60 });
    if (process.platform === 'linux') expect(report.output).toMatch(/has ended: could not be run: /);
  });
});

/** A process that ended and waits to be collected by its new parent runs no more. */
function isRunning(pid: number): boolean {
  const [, state] = /\) (\w)/.exec(readStat(pid)) ?? [];
  return state !== undefined && state !== 'Z';
}

function readStat(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `) ${execFileSync('ps', ['-o', 'stat=', '-p', String(pid)]).toString()}`;
  } catch {
    return '';
  }
}
