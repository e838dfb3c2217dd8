import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
import { startForkServer } from './fork-server-process.ts';
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

/** An interpreter as it might be found in Perl's place. */
function interpreter(script: string): string {
  const path = join(folder, 'perl');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

const childrenOf = (pid: number): readonly number[] =>
  (proc.all() ?? []).filter((each) => proc.parent(each) === pid);

async function makeFifo(): Promise<string> {
  const path = join(folder, 'fifo');
  await createProcessHost().run(shell('mkfifo "$OUT/fifo"'));
  return path;
}

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
    expect(childrenOf(pid)).toEqual([]);
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

describe.runIf(canFork)('a fork server in want', () => {
  it('starts with two descriptors left what it can watch', async () => {
    open({ perl: interpreter('exec 3>&- 4>&- 5>&-; ulimit -n 6; exec /usr/bin/perl "$@"') });
    const forked = await server.fork(request({ argv: ['/bin/sh', '-c', 'exit 3'] }));
    expect(forked.kind === 'forked' && (await forked.ended)).toBe(3 << 8);
  });

  it('leaves descriptors for starts when it makes pipes', async () => {
    open({ perl: interpreter('ulimit -n 24; exec /usr/bin/perl "$@"') });
    const [pipes, forked] = await Promise.all([server.makePipes(64), server.fork(request({}))]);
    for (const pipe of pipes) closeSync(pipe);
    expect(forked.kind).toBe('forked');
    expect(pipes.length).toBeGreaterThanOrEqual(2);
  });

  it('is not given up for one program that takes long to start', async () => {
    const stdin = await makeFifo();
    const slow = server.fork(request({ stdin }));
    const silent = createForkServer({ perl: interpreter('exec sleep 600') });
    // It is asked later, so that its time is up later too.
    await expect(Promise.race([slow, silent.fork(request({}))])).resolves.toEqual({ kind: 'no-server' });
    closeSync(openSync(stdin, 'w'));
    await expect(slow).resolves.toMatchObject({ kind: 'forked' });
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

  it('because the names under /proc are those of other processes', async () => {
    symlinkSync('1', join(folder, 'self'));
    open({ proc: folder });
    expect(server.available()).toBe(false);
    expect(await serverPid()).toBe(process.pid);
  });

  it('because the directory is relative to that of the program', async () => {
    expect(await said('pwd', { cwd: '.' })).toBe(process.cwd());
    expect(await said('pwd', { cwd: '' })).toBe(process.cwd());
  });

  it.runIf(canFork)('because setsid has another number there', async () => {
    const other = startForkServer('/usr/bin/perl', 100_000);
    await expect(other.fork(request({}))).resolves.toEqual({ kind: 'no-server' });
    expect(other.usable()).toBe(false);
    other.close();
  });

  it.runIf(canFork)('because the program gave up rights, and what runs is still watched', async () => {
    const self = join(folder, `${process.pid}`);
    mkdirSync(self);
    symlinkSync(`${process.pid}`, join(folder, 'self'));
    writeFileSync(join(self, 'status'), 'Name:\tnode\nUid:\t0\t0\t0\t0\nVmRSS:\t1 kB\n');
    open({ proc: folder });
    const before = await serverPid();
    expect(before).not.toBe(process.pid);
    writeFileSync(join(self, 'status'), 'Name:\tnode\nUid:\t0\t0\t0\t0\nVmRSS:\t2 kB\n');
    const stdin = await makeFifo();
    const forked = await server.fork(request({ argv: ['/bin/sh', '-c', 'read -r _ < "$0"; exit 3', stdin] }));
    writeFileSync(join(self, 'status'), 'Name:\tnode\nUid:\t1000\t1000\t1000\t1000\n');
    expect(await serverPid()).toBe(process.pid);
    closeSync(openSync(stdin, 'w'));
    expect(forked.kind === 'forked' && (await forked.ended)).toBe(3 << 8);
  });

  it.runIf(canFork).each([
    ['says what is no answer', 'echo Welcome; exec sleep 600'],
    ['answers what was not asked', 'echo "s 1 1 1"; exec sleep 600'],
    ['answers in no words of ours', 'echo "p 1 x"; exec sleep 600'],
    ['never ends its first line', 'head -c 100000 /dev/zero | tr "\\0" x; exec sleep 600'],
  ])('because the interpreter %s, and ends that', async (_what, script) => {
    open({ perl: interpreter(`echo $$ > ${folder}/pid; ${script}`) });
    expect(await serverPid()).toBe(process.pid);
    expect(server.available()).toBe(false);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it.runIf(canFork)('but no deadline and no cancel waits for an interpreter that is silent', async () => {
    open({ perl: interpreter('exec sleep 600') });
    const cancel = new AbortController();
    const runs = [
      host.run(shell('echo', { deadlineMs: 300 })),
      host.run(shell('echo', { signal: cancel.signal })),
    ];
    cancel.abort();
    const ends = (await Promise.all(runs)).map(({ end }) => end.kind);
    expect(ends).toEqual(['timed-out', 'cancelled']);
  });

  it.runIf(canFork)('because there were no descriptors to start one with', async () => {
    const program = await buildProgram('forking-without-descriptors', folder);
    const limited = shell('', {
      argv: ['/bin/sh', '-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, program],
    });
    expect(await createProcessHost().run(limited)).toMatchObject({
      end: { kind: 'exited', code: 0 },
      stdout: '{"kind":"no-server"}\n',
      stderr: '',
    });
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

  it('starts nothing any more of what it was asked before', async () => {
    const pid = await serverPid();
    const stdin = await makeFifo();
    const late = server.fork(request({ stdin, argv: ['/bin/sh', '-c', ': > late'] }));
    await expect.poll(() => childrenOf(pid).length).toBe(1);
    const [child = 0] = childrenOf(pid);
    process.kill(pid, 'SIGKILL');
    await expect(late).resolves.toEqual({ kind: 'lost' });
    closeSync(openSync(stdin, 'w'));
    await expect.poll(() => isRunning(child)).toBe(false);
    expect(existsSync(join(folder, 'late'))).toBe(false);
  });

  it('goes when it is closed, stopped or not', async () => {
    const pid = await serverPid();
    process.kill(pid, 'SIGSTOP');
    server.close();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('goes on when a hook stops it', async () => {
    const pid = await serverPid();
    const stopping = shell('kill -STOP $PPID; exit 3', { deadlineMs: 3_000 });
    expect((await host.run(stopping)).end).toEqual({ kind: 'exited', code: 3 });
    expect(await serverPid()).toBe(pid);
  });

  it('is given up when it answers no more', async () => {
    open({ perl: interpreter(`echo $$ > ${folder}/pid; echo 'p 1'; exec sleep 600`) });
    expect(await server.makePipes(0)).toEqual([]);
    await expect(server.fork(request({}))).resolves.toEqual({ kind: 'lost' });
    expect(await serverPid()).toBe(process.pid);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
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

describe.runIf(canFork)('a process that is started when the program is killed', () => {
  it.each([
    ['is ended when nobody could note it', 'busy', false],
    ['is left to the next start when it was noted', 'idle', true],
  ])('%s [contract.journal.dead-owner]', async (_what, way, goesOn) => {
    const program = await buildProgram('forking-victim', folder);
    const victim = spawn(process.execPath, [program, folder, way], { stdio: 'ignore' });
    await new Promise((resolve) => {
      victim.once('exit', resolve);
    });
    expect(victim.signalCode).toBe('SIGKILL');
    const [pid = 0, parent = 0] = readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ').map(Number);
    await expect.poll(() => isRunning(parent)).toBe(false);
    try {
      await expect.poll(() => isRunning(pid)).toBe(goesOn);
    } finally {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    }
  });
});

function request(changes: Partial<ForkRequest>): ForkRequest {
  const nowhere = { stdin: '/dev/null', stdout: '/dev/null', stderr: '/dev/null' };
  return { argv: ['/bin/true'], cwd: folder, environment: {}, ...nowhere, ...changes };
}
