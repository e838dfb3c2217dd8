import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Handler, HookDefinition } from '../config/hook.ts';
import { createCommandRunner } from './command.ts';
import { createProcessHost } from './process.ts';
import type { RunRequest } from './runner.ts';

const inheritedEnvironment = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);

let folder: string;
const processes = createProcessHost();
const runner = createCommandRunner({ processes });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'command-'));
});
afterEach(async () => {
  await processes.settle(10_000);
  rmSync(folder, { recursive: true, force: true });
});

function request(
  handler: Omit<Extract<Handler, { type: 'command' }>, 'type'>,
  more: Partial<RunRequest> = {},
): RunRequest {
  return {
    hook: { id: 'Stop:00000000', handler: { type: 'command', ...handler } } as HookDefinition,
    runId: 'run',
    input: '{"event":"Stop"}\n',
    workspace: folder,
    environment: inheritedEnvironment,
    deadlineMs: 60_000,
    ...more,
  };
}

function script(name: string, text: string, mode = 0o755): void {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), mode);
}

describe('a command hook', () => {
  it('is a line for the shell [koder.field.command-shell] [codey.config.shell-command]', async () => {
    const result = await runner.run(request({ command: 'X="a  b"; cat; echo "$X" | tr a c' }));
    expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, stdout: '{"event":"Stop"}\nc  b\n' });
  });

  it.each([
    ['bash', 'echo ${BASH_VERSION:+bash}', 'bash\n'],
    ['/bin/bash', 'echo ${BASH_VERSION:+bash}', 'bash\n'],
    ['sh', 'echo sh', 'sh\n'],
  ])('runs in the shell it names: %s [koder.field.named-shell]', async (shell, command, stdout) => {
    expect((await runner.run(request({ command, shell }))).stdout).toBe(stdout);
  });

  it('names a shell that is not there', async () => {
    const { end } = await runner.run(request({ command: 'exit 2', shell: 'no-such-shell' }));
    expect(end).toEqual({
      kind: 'failed',
      cause: 'missing',
      message: expect.stringContaining('no-such-shell is not on PATH'),
    });
  });

  it('with args is a program, and its arguments are nobody’s to expand', async () => {
    const result = await runner.run(request({ command: 'printf', args: ['%s|', '$HOME', '*', 'a b', ''] }));
    expect(result.stdout).toBe('$HOME|*|a b||');
  });

  it('finds nothing of the payload in its arguments [contract.stdin.same-bytes]', async () => {
    const { stdout } = await runner.run(
      request({ command: 'tr "\\0" " " < /proc/$$/cmdline 2>/dev/null || ps -o args= -p $$' }),
    );
    expect(stdout).not.toContain('"event"');
  });

  it('is told to have started once it has', async () => {
    const told: unknown[] = [];
    await runner.run(request({ command: 'true' }, { onStart: (...args) => void told.push(args) }));
    await runner.run(
      request({ command: 'no-such-program', args: [] }, { onStart: () => void told.push('failed') }),
    );
    expect(told).toEqual([[]]);
  });

  it('is killed at its deadline [koder.field.timeout-command]', async () => {
    const { end } = await runner.run(request({ command: 'sleep 600' }, { deadlineMs: 300 }));
    expect(end).toEqual({ kind: 'timed-out', afterMs: 300 });
    expect(await processes.settle(20_000)).toBe(true);
  });
});

describe('a launch that failed is no verdict [contract.failure.launch-is-no-verdict]', () => {
  it.each([
    ['python3 gone.py', 'missing', 'gone.py, which python3 was to run'],
    ['sh gone.sh', 'missing', 'gone.sh, which sh was to run'],
    ['bash hooks/gone.sh', 'missing', 'hooks/gone.sh, which bash was to run'],
    ['node gone.js', 'missing', 'gone.js, which node was to run'],
    ['. ./gone.sh', 'missing', 'gone.sh, which . was to run'],
    ['./gone.sh', 'missing', '/gone.sh'],
    ['cd gone && ./guard.sh', 'missing', '/gone, which is no directory'],
    ['no-such-program', 'missing', 'not found'],
    ['true && no-such-program | cat; no-such-program', 'missing', 'not found'],
    ['./plain.sh', 'not-executable', 'chmod +x'],
  ])('%s', async (command, cause, words) => {
    script('plain.sh', 'exit 2\n', 0o644);
    const { end } = await runner.run(request({ command }));
    expect(end).toEqual({ kind: 'failed', cause, message: expect.stringContaining(words) });
  });

  it.each(['sh', 'bash', 'dash'])('a line that %s cannot read', async (shell) => {
    const { end } = await runner.run(request({ command: 'if test -f guard.sh; then exit 2', shell }));
    expect(end).toEqual({
      kind: 'failed',
      cause: 'spawn',
      message: expect.stringContaining('the shell cannot read its command'),
    });
  });

  it('also without a shell', async () => {
    const { end } = await runner.run(request({ command: 'python3', args: ['gone.py'] }));
    expect(end).toMatchObject({ kind: 'failed', cause: 'missing' });
  });
});

describe('a verdict is never taken for a failed launch [koder.exit.two-blocks]', () => {
  it.each([
    ['./guard.sh', 'exit 2'],
    ['sh guard.sh', 'rm -- "$0"; exit 2'],
    ['./guard.sh', 'rm -- "$0"; exit 2'],
    ['test -f gone.py || ./guard.sh', 'echo gone.py is missing >&2; exit 2'],
    ['sh gone.sh 2>/dev/null; ./guard.sh', 'exit 2'],
    ['python3 gone.py || exit 2', ''],
    ['echo "syntax error: rm is not allowed" >&2; exit 2', ''],
    ["eval 'if' 2>/dev/null; echo no >&2; exit 2", ''],
  ])('%s with “%s”', async (command, text) => {
    script('guard.sh', `#!/bin/sh\n${text}\n`);
    expect((await runner.run(request({ command }))).end).toEqual({ kind: 'exited', code: 2 });
  });

  it('not even where the shell could read the line only because of what ran before', async () => {
    const command = 'shopt -s extglob\necho !(x) > /dev/null; echo no >&2; exit 2';
    const result = await runner.run(request({ command, shell: 'bash' }));
    expect(result).toMatchObject({ end: { kind: 'exited', code: 2 }, stderr: 'no\n' });
  });

  it('keeps an answer that was printed before the line broke', async () => {
    const command = `echo '{"decision":"block","reason":"no"}'; no-such-program`;
    expect(await runner.run(request({ command }))).toMatchObject({
      end: { kind: 'exited', code: 127 },
      stdout: '{"decision":"block","reason":"no"}\n',
    });
  });
});
