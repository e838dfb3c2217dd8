import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GroupRecord } from './ledger.ts';
import { createForkServer, type ForkServer } from './fork-server.ts';
import { createPipeSupply, type PipeSupply } from './output-pipes.ts';
import { createProc } from './proc.ts';
import type { Spawn } from './start.ts';
import {
  createProcessHost,
  type ProcessHost,
  type ProcessHostOptions,
  type ProcessRequest,
} from './process.ts';

const proc = createProc();
const linux = process.platform === 'linux';
const minute = 60_000;
const inheritedEnvironment = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);
const oneMegabyte = `${JSON.stringify({ text: 'x'.repeat(1024 * 1024) })}\n`;
/** Writes the pid of whoever runs it, then stays. */
const stay = 'echo $$ > "$OUT/pid"; exec sleep 600';

let folder: string;
let runs = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'processes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function shell(script: string, changes: Partial<ProcessRequest> = {}): ProcessRequest {
  return {
    argv: ['/bin/sh', '-c', script],
    cwd: folder,
    environment: { ...inheritedEnvironment, OUT: folder },
    input: '{"event":"Stop"}\n',
    deadlineMs: minute,
    marker: { name: 'TEST_MARKER', value: `run-${process.pid}-${++runs}` },
    outputCap: 1024 * 1024,
    ...changes,
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

function pidIn(name: string): number {
  const path = join(folder, name);
  return existsSync(path) ? Number(readFileSync(path, 'utf8').trim()) : 0;
}

/** Running, zombies not counted. */
function isRunning(pid: number): boolean {
  if (linux) return readFileIfThere(`/proc/${pid}/cmdline`) !== '';
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function readFileIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function createNoForks(): undefined {}

describe.each([
  ['started by Node', createNoForks],
  ['started by the fork server', createForkServer],
] as const)('a process %s', (_name, createForks) => {
  let forks: ForkServer | undefined;
  let pipes: PipeSupply;
  let host: ProcessHost;

  beforeEach(() => {
    forks = createForks();
    pipes = createPipeSupply({ forks });
    host = openHost();
  });
  afterEach(async () => {
    expect(await host.settle(10_000)).toBe(true);
    forks?.close();
  });

  function openHost(options: ProcessHostOptions = {}): ProcessHost {
    return createProcessHost({ forks, pipes, ...options });
  }

  describe('how a process ends', () => {
    it.each([
      ['exits 0', 'echo out; echo err >&2', { kind: 'exited', code: 0 }],
      ['exits 2', 'echo out; echo err >&2; exit 2', { kind: 'exited', code: 2 }],
      ['exits 70', 'echo out; echo err >&2; exit 70', { kind: 'exited', code: 70 }],
      ['kills itself', 'echo out; echo err >&2; kill -9 $$', { kind: 'signalled', signal: 'SIGKILL' }],
      ['removes its directory', 'rm -rf "$OUT"; echo out; echo err >&2', { kind: 'exited', code: 0 }],
    ])('%s', async (_name, script, end) => {
      expect(await host.run(shell(script))).toMatchObject({
        end,
        stdout: 'out\n',
        stderr: 'err\n',
        leftRunning: 0,
      });
    });

    it('refuses a deadline that would never pass, as a mistake of the caller', async () => {
      await expect(host.run(shell('true', { deadlineMs: Number.POSITIVE_INFINITY }))).rejects.toThrow(
        RangeError,
      );
      expect((await host.run(shell('true'))).end).toEqual({ kind: 'exited', code: 0 });
    });

    it('runs in a session of its own, without a terminal', async () => {
      const { stdout } = await host.run(
        shell(
          'cat /proc/$$/stat 2>/dev/null || ps -o pgid= -p $$; echo $$; (: </dev/tty) 2>/dev/null; echo $?',
        ),
      );
      const [stat = '', pid, terminal] = stdout.trim().split('\n');
      expect(terminal).not.toBe('0');
      if (linux)
        expect(
          stat
            .slice(stat.lastIndexOf(')') + 2)
            .split(' ')
            .slice(2, 4),
        ).toEqual([pid, pid]);
    });
  });

  describe('a start that fails', () => {
    it.each([
      ['a program that is not on PATH', ['no-such-program'], 'missing', 'no-such-program is not on PATH'],
      ['a path that does not exist', ['./gone.sh'], 'missing', './gone.sh does not exist'],
      ['a script whose interpreter is gone', ['./odd.sh'], 'missing', 'the interpreter in its first line'],
      ['a file without the execute bit', ['./plain.sh'], 'not-executable', 'chmod +x'],
      ['a directory', ['./directory'], 'not-executable', 'may not be executed'],
      ['arguments beyond the limit', ['/bin/echo', 'x'.repeat(4_000_000)], 'spawn', 'E2BIG'],
      ['a NUL byte', ['/bin/echo', 'a\0b'], 'spawn', 'NUL byte'],
    ] as const)(
      'names the cause: %s [contract.failure.launch-is-no-verdict]',
      async (_name, argv, cause, words) => {
        writeFileSync(join(folder, 'plain.sh'), 'exit 0\n', { mode: 0o644 });
        writeFileSync(join(folder, 'odd.sh'), '#!/no/such/interpreter\n', { mode: 0o755 });
        mkdirSync(join(folder, 'directory'));
        const { end } = await host.run(shell('', { argv: argv as unknown as ProcessRequest['argv'] }));
        expect(end).toMatchObject({ kind: 'failed', cause, message: expect.stringContaining(words) });
      },
    );

    it.each([
      ['does not exist', 'gone'],
      ['is not a directory', 'file'],
    ])('tells a working directory that %s from a missing program', async (words, name) => {
      writeFileSync(join(folder, 'file'), '');
      const { end } = await host.run(shell('true', { cwd: join(folder, name) }));
      expect(end).toMatchObject({ kind: 'failed', cause: 'cwd', message: expect.stringContaining(words) });
    });

    it('never quotes a value of the environment', async () => {
      const environment = { SECRET: 'hunter2\0' };
      const { end } = await host.run(shell('true', { environment }));
      expect(end).toMatchObject({ kind: 'failed', cause: 'spawn' });
      expect(JSON.stringify(end)).not.toContain('hunter2');
    });
  });

  describe('stdin', () => {
    it('holds the input and its end [contract.stdin.same-bytes]', async () => {
      expect((await host.run(shell('cat; echo end'))).stdout).toBe('{"event":"Stop"}\nend\n');
    });

    it('can be opened by its name', async () => {
      expect((await host.run(shell('cat /dev/stdin /dev/stdin'))).stdout).toBe(
        '{"event":"Stop"}\n'.repeat(2),
      );
    });

    it('is empty where there is no input', async () => {
      expect((await host.run(shell('cat; echo end', { input: '' }))).stdout).toBe('end\n');
    });

    it.each([
      ['never reads it', 'echo done'],
      ['closes it', 'exec <&-; echo done'],
      ['reads a part', 'head -c 10 > /dev/null; echo done'],
      ['reads all of it', `test "$(wc -c)" -eq ${oneMegabyte.length} && echo done`],
    ])(
      'of a megabyte is no trouble to a process that %s [contract.stdin.unread-is-fine]',
      async (_name, script) => {
        expect(await host.run(shell(script, { input: oneMegabyte }))).toMatchObject({
          end: { kind: 'exited', code: 0 },
          stdout: 'done\n',
        });
      },
    );

    it.each([
      ['reads it all', `test "$(wc -c)" -eq ${oneMegabyte.length} && echo done`],
      ['never reads it', 'echo done'],
      ['closes it', 'exec <&-; sleep 0.1; echo done'],
    ])('goes through a pipe where no file can be made, also to a process that %s', async (_name, script) => {
      const withoutFiles = openHost({ temporaryDirectory: join(folder, 'gone') });
      expect(await withoutFiles.run(shell(script, { input: oneMegabyte }))).toMatchObject({
        end: { kind: 'exited', code: 0 },
        stdout: 'done\n',
      });
    });
  });

  describe('output', () => {
    it('is capped by bytes, and the rest is read and thrown away [contract.cap.parsed-output]', async () => {
      const before = process.memoryUsage().rss;
      const result = await host.run(shell('head -c 209715200 /dev/zero; echo end >&2'));
      expect(result).toMatchObject({
        end: { kind: 'exited', code: 0 },
        stdoutTruncated: true,
        stderr: 'end\n',
      });
      expect(result.stdout.length).toBe(1024 * 1024);
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    });

    it('on stderr is capped alike', async () => {
      const result = await host.run(
        shell('head -c 20000000 /dev/zero >&2; echo answer', { outputCap: 1000 }),
      );
      expect(result).toMatchObject({ stdout: 'answer\n', stdoutTruncated: false, stderrTruncated: true });
      expect(result.stderr.length).toBe(1000);
    });

    it('becomes text: broken UTF-8 is replaced', async () => {
      expect((await host.run(shell(String.raw`printf 'a\377b\303'`))).stdout).toBe('a\ufffdb\ufffd');
    });

    it('becomes text: a character in two pieces is one', async () => {
      const pieces: string[] = [];
      const script = String.raw`printf '\360\237'; sleep 0.2; printf '\231\202'`;
      const result = await host.run(shell(script, { onOutput: (_stream, text) => pieces.push(text) }));
      expect([result.stdout, pieces.join('')]).toEqual(['🙂', '🙂']);
    });

    it('becomes text: the cap cuts no character in half', async () => {
      const result = await host.run(shell(`printf 'aé'`, { outputCap: 2 }));
      expect(result).toMatchObject({ stdout: 'a', stdoutTruncated: true });
    });

    it('is heard while it comes, also beyond the cap', async () => {
      const heard = { stdout: '', stderr: '' };
      const onOutput = (stream: 'stdout' | 'stderr', text: string) => {
        heard[stream] += text;
      };
      await host.run(shell('echo one; echo two >&2', { outputCap: 1, onOutput }));
      expect(heard).toEqual({ stdout: 'one\n', stderr: 'two\n' });
    });
  });

  describe('the deadline', () => {
    it('returns with what was printed and ends the whole group [contract.deadline.whole-group]', async () => {
      const script = `trap '' TERM; echo before; (echo $$ > "$OUT/child"; sleep 600) & ${stay}`;
      const result = await host.run(shell(script, { deadlineMs: 500 }));
      expect(result).toMatchObject({ end: { kind: 'timed-out', afterMs: 500 }, stdout: 'before\n' });
      const pid = pidIn('pid');
      expect(pid).toBeGreaterThan(1);
      expect(await host.settle(20_000)).toBe(true);
      expect(proc.members(pid) ?? []).toEqual([]);
    });

    it('lets a process that honours TERM clean up', async () => {
      const script = `trap 'echo cleaned > "$OUT/cleaned"; exit 0' TERM; echo ready; while :; do sleep 0.05; done`;
      await host.run(shell(script, { deadlineMs: 500 }));
      expect(await host.settle(20_000)).toBe(true);
      expect(readFileSync(join(folder, 'cleaned'), 'utf8')).toBe('cleaned\n');
    });

    it.runIf(linux)('ends a daemon that left the group [contract.deadline.whole-group]', async () => {
      const daemon = `setsid sh -c 'setsid sh -c "echo \\$\\$ > $OUT/daemon; exec sleep 600" & exit' &`;
      const result = await host.run(shell(`${daemon} ${stay}`, { deadlineMs: 800 }));
      expect(result.end.kind).toBe('timed-out');
      const pid = pidIn('daemon');
      expect(pid).toBeGreaterThan(1);
      expect(await host.settle(20_000)).toBe(true);
      expect(isRunning(pid)).toBe(false);
    });

    it('passes although a process that ended its output goes on', async () => {
      const { end } = await host.run(shell(`exec >&- 2>&-; ${stay}`, { deadlineMs: 400 }));
      expect(end.kind).toBe('timed-out');
    });
  });

  describe('a process that leaves others behind', () => {
    it('has its result at its own exit, whoever holds its pipes [contract.deadline.open-pipe]', async () => {
      const result = await host.run(
        shell(`(${stay.replace('$$', '$(exec sh -c "echo \\$PPID")')}) & echo answer`),
      );
      expect(result).toMatchObject({
        end: { kind: 'exited', code: 0 },
        stdout: 'answer\n',
        leftRunning: linux ? expect.any(Number) : 1,
      });
      expect(result.leftRunning).toBeGreaterThan(0);
      await until(() => pidIn('pid') > 1);
      expect(isRunning(pidIn('pid'))).toBe(true);
      process.kill(pidIn('pid'), 'SIGKILL');
    });

    it('is not held up by one that keeps printing', async () => {
      const result = await host.run(
        shell(`(echo $$ > "$OUT/group"; while :; do echo noise; done) & echo answer >&2`),
      );
      expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, stderr: 'answer\n' });
      await until(() => (proc.members(pidIn('group')) ?? []).length === 0);
    });

    it('loses nothing that it printed just before its exit', async () => {
      const results = await Promise.all(
        Array.from({ length: 16 }, () => host.run(shell('head -c 150000 /dev/zero; (sleep 1 &)'))),
      );
      expect(results.map(({ stdout }) => stdout.length)).toEqual(results.map(() => 150_000));
    });
  });

  describe('cancelling', () => {
    it('returns at once and ends the group behind it [contract.cancel.kills-hooks]', async () => {
      const cancel = new AbortController();
      const run = host.run(shell(`trap '' TERM; ${stay}`, { signal: cancel.signal }));
      await until(() => pidIn('pid') > 1);
      cancel.abort();
      expect((await run).end).toEqual({ kind: 'cancelled' });
      expect(await host.settle(20_000)).toBe(true);
      expect(isRunning(pidIn('pid'))).toBe(false);
    });

    it('in the queue means that it never starts', async () => {
      const narrow = openHost({ limit: 1 });
      const cancel = new AbortController();
      const first = narrow.run(shell('cat > /dev/null; sleep 0.3'));
      const second = narrow.run(shell('touch "$OUT/started"', { signal: cancel.signal }));
      const third = narrow.run(shell('echo third'));
      cancel.abort();
      expect((await second).end).toEqual({ kind: 'cancelled' });
      expect((await first).end).toEqual({ kind: 'exited', code: 0 });
      expect((await third).stdout).toBe('third\n');
      expect(existsSync(join(folder, 'started'))).toBe(false);
    });

    it('before the start means the same', async () => {
      const result = await host.run(shell('touch "$OUT/started"', { signal: AbortSignal.abort() }));
      expect(result.end).toEqual({ kind: 'cancelled' });
      expect(existsSync(join(folder, 'started'))).toBe(false);
    });
  });

  describe('the queue', () => {
    it('lets sixteen in at once and all of forty in the end [contract.run.sixteen]', async () => {
      mkdirSync(join(folder, 'running'));
      const script = 'cd "$OUT/running" && : > $$ && ls | wc -l && sleep 0.1 && rm $$';
      const results = await Promise.all(Array.from({ length: 40 }, () => host.run(shell(script))));
      expect(results.map(({ end }) => end)).toEqual(results.map(() => ({ kind: 'exited', code: 0 })));
      expect(Math.max(...results.map(({ stdout }) => Number(stdout)))).toBeLessThanOrEqual(16);
    });

    it('takes nothing from a deadline [contract.run.sixteen]', async () => {
      const narrow = openHost({ limit: 1 });
      const first = narrow.run(shell('sleep 1.5'));
      const second = narrow.run(shell('echo done', { deadlineMs: 1_400 }));
      expect((await second).end).toEqual({ kind: 'exited', code: 0 });
      expect((await first).end).toEqual({ kind: 'exited', code: 0 });
    });

    it('keeps a place until the group of a run that was given up is gone', async () => {
      const narrow = openHost({ limit: 1 });
      await narrow.run(shell(stay, { deadlineMs: 300 }));
      const { stdout } = await narrow.run(shell('echo next'));
      expect([stdout, isRunning(pidIn('pid'))]).toEqual(['next\n', false]);
    });
  });

  describe('settling', () => {
    it('is done at once where nothing is to end', async () => {
      expect(await host.settle(minute)).toBe(true);
    });

    it('kills what still has its grace when the time is up', async () => {
      await host.run(
        shell(`trap '' TERM; echo $$ > "$OUT/pid"; while :; do sleep 1; done`, { deadlineMs: 400 }),
      );
      expect(await host.settle(2_000)).toBe(true);
      expect(isRunning(pidIn('pid'))).toBe(false);
    });
  });

  describe('the ledger', () => {
    it('names each group with its start time and loses it when it has ended', async () => {
      const open = new Map<number, GroupRecord>();
      const all: GroupRecord[] = [];
      const noted = openHost({
        ledger: {
          started: (group) => {
            open.set(group.pid, group);
            all.push(group);
          },
          ended: (pid) => void open.delete(pid),
        },
      });
      const request = shell('true', { what: 'Stop:0011aabb' });
      await noted.run(request);
      await noted.run(shell(stay, { deadlineMs: 300 }));
      expect(open.size).toBe(1);
      expect(await noted.settle(20_000)).toBe(true);
      expect(open.size).toBe(0);
      expect(all[0]).toEqual({
        pid: expect.any(Number),
        startTime: linux ? expect.any(Number) : null,
        marker: request.marker,
        what: 'Stop:0011aabb',
      });
    });
  });

  describe('what a process prints', () => {
    it('may be printed through the names of its streams, which a socket would refuse', async (context) => {
      if (process.platform !== 'linux') return context.skip('only Linux refuses them');
      const result = await host.run({
        argv: [
          '/bin/sh',
          '-c',
          'echo one > /dev/stderr; echo two | tee /dev/stderr; echo three > /dev/stdout',
        ],
        cwd: '/',
        environment: { PATH: process.env.PATH ?? '' },
        input: '',
        deadlineMs: 10_000,
        marker: { name: 'CODEY_HOOK_RUN', value: 'names-of-streams' },
        outputCap: 1_000,
      });
      expect(result).toMatchObject({
        end: { kind: 'exited', code: 0 },
        stdout: 'two\nthree\n',
        stderr: 'one\ntwo\n',
      });
    });
  });
});

describe('starts of processes that come together', () => {
  /** In which turns of the event loop each of eight processes was started, from 0. */
  async function turnsOfStarts(oneStartEachTurn: boolean): Promise<readonly number[]> {
    const pipes = createPipeSupply({ directories: [folder] });
    pipes.prepare(8);
    await pipes.idle();
    const turns: number[] = [];
    let turn = 0;
    let counting = true;
    const count = (): void => {
      turn += 1;
      if (counting) setImmediate(count);
    };
    const counted = createProcessHost({
      oneStartEachTurn,
      pipes,
      spawn: ((program: string, args: readonly string[], options: SpawnOptions) => {
        turns.push(turn);
        return spawn(program, args, options);
      }) as Spawn,
    });
    setImmediate(count);
    await Promise.all(Array.from({ length: 8 }, () => counted.run(shell('true'))));
    counting = false;
    return turns.map((each) => each - (turns[0] ?? 0));
  }

  it('are over sooner where nothing else has to turn', async () => {
    expect(new Set(await turnsOfStarts(false)).size).toBe(1);
  });

  it('leave a turn to the screen in between', async () => {
    const turns = await turnsOfStarts(true);
    expect(new Set(turns).size).toBe(turns.length);
  });
});
