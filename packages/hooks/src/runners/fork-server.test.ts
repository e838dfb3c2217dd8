import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildProgram } from '../../test/fixtures/build-program.ts';
import {
  createForkServer,
  type ForkRequest,
  type ForkServer,
  type ForkServerOptions,
} from './fork-server.ts';
import { createPipeSupply } from './output-pipes.ts';
import { createProc } from './proc.ts';
import { findStrays } from './strays.ts';
import { createProcessHost, type ProcessHost, type ProcessRequest } from './process.ts';

const proc = createProc();
const canFork = process.platform === 'linux' && existsSync('/usr/bin/perl');

let folder: string;
let server: ForkServer;
let host: ProcessHost;
let runs = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fork-server-'));
  open();
});
afterEach(async () => {
  expect(await host.settle(10_000)).toBe(true);
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(options: ForkServerOptions = {}): void {
  server = createForkServer(options);
  // Of its pipes alone, so that a test without them would find Node's.
  host = createProcessHost({ forks: server, pipes: createPipeSupply({ forks: server, directories: [] }) });
}

function shell(script: string, changes: Partial<ProcessRequest> = {}): ProcessRequest {
  return {
    argv: ['/bin/sh', '-c', script],
    cwd: folder,
    environment: { PATH: process.env.PATH ?? '', OUT: folder },
    input: '',
    deadlineMs: 60_000,
    marker: { name: 'TEST_MARKER', value: `fork-${process.pid}-${++runs}` },
    outputCap: 1024 * 1024,
    ...changes,
  };
}

const said = async (script: string, changes?: Partial<ProcessRequest>): Promise<string> =>
  (await host.run(shell(script, changes))).stdout.trim();

/** The server is whoever starts processes. */
const serverPid = async (): Promise<number> => Number(await said('echo $PPID'));

const isRunning = (pid: number): boolean => (proc.commandLine(pid) ?? []).length > 0;

describe.runIf(canFork)('the fork server', () => {
  it('starts the processes, with no more descriptors than Node gives them', async () => {
    const pid = await serverPid();
    expect(pid).not.toBe(process.pid);
    expect(proc.parent(pid)).toBe(process.pid);
    const names = shell('', { argv: ['/bin/ls', '/proc/self/fd'] });
    expect((await host.run(names)).stdout).toBe((await createProcessHost().run(names)).stdout);
  });

  it('hands an environment over as it is, and none of its own', async () => {
    const environment = {
      PATH: process.env.PATH ?? '',
      EMPTY: '',
      LINES: 'one\ntwo\n',
      EQUALS: 'a=b=c',
      ÜMLAUT: 'grün ✓ 🙂',
      LONG: 'x'.repeat(100_000),
    };
    const { stdout } = await host.run(
      shell('', {
        argv: [process.execPath, '-e', 'process.stdout.write(JSON.stringify(process.env))'],
        environment,
      }),
    );
    const { TEST_MARKER: _marker, ...given } = JSON.parse(stdout) as Record<string, string>;
    expect(given).toEqual(environment);
  });

  it('hands arguments over as they are', async () => {
    const args = ['', ' ', 'a\nb', '"', "'", '$HOME', '🙂', '-e', 'x'.repeat(100_000)];
    const { stdout } = await host.run(
      shell('', {
        argv: [process.execPath, '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...args],
      }),
    );
    expect(JSON.parse(stdout)).toEqual(args);
  });

  it('starts a hundred that come together', async () => {
    const all = Array.from({ length: 100 }, (_, index) => said(`echo ${index}; exit ${index % 3}`));
    expect(await Promise.all(all)).toEqual(all.map((_, index) => `${index}`));
  });

  it('leaves no process of its own unread', async () => {
    const pid = await serverPid();
    await Promise.all(Array.from({ length: 20 }, () => host.run(shell('exit 3'))));
    const children = (proc.all() ?? []).filter((each) => proc.parent(each) === pid);
    expect(children).toEqual([]);
  });

  it('tells who cannot be started from who failed', async () => {
    await expect(server.fork(request({ argv: ['./gone'] }))).resolves.toEqual({
      kind: 'not-forked',
      code: 'ENOENT',
    });
    await expect(server.fork(request({ cwd: join(folder, 'gone') }))).resolves.toEqual({
      kind: 'not-forked',
      code: 'ENOENT',
    });
    const forked = await server.fork(request({ argv: ['/bin/sh', '-c', 'kill -TERM $$'] }));
    expect(forked).toMatchObject({ kind: 'forked', startTime: expect.any(Number) });
    expect(forked.kind === 'forked' && (await forked.ended)).toBe(15);
  });

  it('is not asked again where its processes cannot open what they are given', async () => {
    const stdout = join(folder, 'gone/stdout');
    await expect(server.fork(request({ stdout }))).resolves.toEqual({ kind: 'no-server' });
    expect(server.available()).toBe(false);
    expect(await serverPid()).toBe(process.pid);
  });
});

describe('without a fork server Node starts the processes', () => {
  it.each([
    ['there is no Perl', { perl: '/no/such/perl' }],
    ['the interpreter is something else', { perl: '/bin/true' }],
    ['the numbers of system calls are not known', { arch: 'mips' }],
    ['the system is another one', { platform: 'darwin' }],
  ] as const)('because %s', async (_why, options) => {
    open(options);
    expect(await Promise.all([serverPid(), serverPid()])).toEqual([process.pid, process.pid]);
    expect(server.available()).toBe(false);
  });

  it('because it was closed', async () => {
    server.close();
    expect(await serverPid()).toBe(process.pid);
  });
});

describe.runIf(canFork)('a fork server that is ended from outside', () => {
  it('fails what runs, ends its group, and Node starts what comes then', async () => {
    const pid = await serverPid();
    const script = 'echo $$ > "$OUT/pid"; echo; exec sleep 600';
    const { end } = await host.run(shell(script, { onOutput: () => process.kill(pid, 'SIGKILL') }));
    expect(end).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('how it ended is not known'),
    });
    expect(await host.settle(20_000)).toBe(true);
    expect(proc.members(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toEqual([]);
    expect(await serverPid()).toBe(process.pid);
  });

  it('leaves nothing of a process that was started in its last moment', async () => {
    const last = shell('kill -9 "$PPID"; exec sleep 600');
    await serverPid();
    expect((await host.run(last)).end.kind).toBe('failed');
    expect(await host.settle(20_000)).toBe(true);
    expect(await findStrays(last.marker, proc)).toEqual([]);
  });

  it('holds up no deadline when it is stopped, and what it starts later is ended', async () => {
    const pid = await serverPid();
    process.kill(pid, 'SIGSTOP');
    const late = shell('exec sleep 600', { deadlineMs: 300 });
    expect((await host.run(late)).end).toMatchObject({ kind: 'timed-out' });
    process.kill(pid, 'SIGCONT');
    expect(await host.settle(20_000)).toBe(true);
    expect(await findStrays(late.marker, proc)).toEqual([]);
    expect(await serverPid()).toBe(pid);
  });

  it('is given up when it is stopped for good', async () => {
    const pid = await serverPid();
    process.kill(pid, 'SIGSTOP');
    expect((await host.run(shell('echo hi'))).end).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('whether it was started is not known'),
    });
    expect(await serverPid()).toBe(process.pid);
    expect(isRunning(pid)).toBe(false);
  });
});

describe.runIf(canFork)('the end of the program', () => {
  it.each(['leaves', 'is killed'])('is the end of the server of one that %s', async (way) => {
    const program = await buildProgram('forking-leaver', folder);
    const child = spawn(process.execPath, [program, way], { stdio: ['ignore', 'pipe', 'inherit'] });
    let told = '';
    for await (const piece of child.stdout) told += String(piece);
    const pid = Number(told);
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

function request(changes: Partial<ForkRequest>): ForkRequest {
  const nowhere = { stdin: '/dev/null', stdout: '/dev/null', stderr: '/dev/null' };
  return { argv: ['/bin/true'], cwd: folder, environment: {}, ...nowhere, ...changes };
}
