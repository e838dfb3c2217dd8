import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookDefinition } from '../config/hook.ts';
import { createProcessHost } from './process.ts';
import type { Runner, RunRequest } from './runner.ts';
import { createWorkerRunner } from './worker.ts';
import type { WorkerPostOptions } from './worker-post.ts';
import { encodeRequest, parseReply } from './worker-protocol.ts';

const inheritedEnvironment = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);

/** Reads requests and does with each what `do` of its payload says. */
const program = `
import { createInterface } from 'node:readline';
import { appendFileSync } from 'node:fs';
appendFileSync(process.env.STARTS, process.pid + '\\n');
const say = (reply) => console.log(typeof reply === 'string' ? reply : JSON.stringify(reply));
const held = [];
const acts = {
  echo: (id, { payload, event }) => say({ id, output: { event, payload } }),
  text: (id) => say({ id, output: 'some text' }),
  silent: (id) => say({ id }),
  block: (id) => say({ id, block: 'not today' }),
  error: (id) => say({ id, error: 'no network' }),
  odd: (id) => say({ id, output: 7 }),
  both: (id) => say({ id, output: {}, block: 'x' }),
  twice: (id) => (say({ id }), say({ id, block: 'second thoughts' })),
  unknown: (id) => (say({ id: 999 }), say({ id })),
  garbage: (id) => (say('hello'), say('[1]'), say(''), say('{"output":{}}'), say({ id })),
  hold: (id) => held.push(id),
  release: (id) => (say({ id }), held.reverse().forEach((one) => say({ id: one, output: 'held ' + one }))),
  late: (id) => setTimeout(() => say({ id, block: 'too late' }), 400),
  crash: () => (console.error('it broke'), process.exit(3)),
  flood: () => say('x'.repeat(3_000_000)),
  env: (id) => say({ id, output: { envFile: process.env.CODEY_ENV_FILE ?? null, run: process.env.CODEY_HOOK_RUN } }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  acts[request.payload.do](request.id, request);
}
`;

let folder: string;
let notices: string[];
let runners: (Runner & { close(): Promise<void> })[];
const processes = createProcessHost();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'worker-'));
  writeFileSync(join(folder, 'worker.mjs'), program);
  writeFileSync(join(folder, 'starts'), '');
  notices = [];
  runners = [];
});
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.close()));
  expect(await processes.settle(20_000)).toBe(true);
  rmSync(folder, { recursive: true, force: true });
});

function runner(options: Partial<WorkerPostOptions> = {}) {
  const made = createWorkerRunner({ processes, onNotice: (text) => notices.push(text), ...options });
  runners.push(made);
  return made;
}

function request(act: string, more: Partial<RunRequest> = {}, command = 'node worker.mjs'): RunRequest {
  return {
    hook: {
      id: 'PreToolUse:00000000',
      identity: 'identity',
      event: 'PreToolUse',
      handler: { type: 'worker', command },
    } as HookDefinition,
    runId: 'run',
    input: `${JSON.stringify({ do: act })}\n`,
    workspace: folder,
    environment: { ...inheritedEnvironment, STARTS: join(folder, 'starts') },
    deadlineMs: 60_000,
    ...more,
  };
}

function starts(): number {
  return readFileSync(join(folder, 'starts'), 'utf8').trim().split('\n').filter(Boolean).length;
}

describe('an answer of a worker', () => {
  it.each([
    ['echo', 0, '{"event":"PreToolUse","payload":{"do":"echo"}}', ''],
    ['text', 0, 'some text', ''],
    ['silent', 0, '', ''],
    ['block', 2, '', 'not today'],
    ['error', 1, '', 'no network'],
  ])('counts as a command’s would: %s', async (act, code, stdout, stderr) => {
    const result = await runner().run(request(act));
    expect(result).toMatchObject({ end: { kind: 'exited', code }, stdout, stderr });
  });

  it.each([
    ['odd', 'its output is neither'],
    ['both', 'it holds both output and block'],
  ])('that cannot be understood is a failed hook: %s', async (act, words) => {
    const { end } = await runner().run(request(act));
    expect(end).toMatchObject({ kind: 'failed', cause: 'worker', message: expect.stringContaining(words) });
  });
});

describe('a worker', () => {
  it('is started once and answers many, in whatever order', async () => {
    const { run } = runner();
    const held = [run(request('hold')), run(request('hold'))];
    const [released, ...answers] = await Promise.all([run(request('release')), ...held]);
    expect(released?.end).toEqual({ kind: 'exited', code: 0 });
    expect(answers.map(({ stdout }) => stdout)).toEqual(['held 1', 'held 2']);
    expect(starts()).toBe(1);
  });

  it('is another one in another workspace and for another hook', async () => {
    const { run } = runner();
    const elsewhere = request('silent', { workspace: tmpdir() }, `node ${folder}/worker.mjs`);
    const other = request('silent');
    await Promise.all([
      run(request('silent')),
      run(elsewhere),
      run({ ...other, hook: { ...other.hook, identity: 'other' } }),
    ]);
    expect(starts()).toBe(3);
  });

  it('is told to have started each time it is asked', async () => {
    let told = 0;
    const { run } = runner();
    const onStart = () => {
      told += 1;
    };
    await run(request('silent', { onStart }));
    await run(request('silent', { onStart }));
    await run(request('silent', { onStart, signal: AbortSignal.abort() }));
    expect(told).toBe(2);
  });

  it('has no env file, since it outlives every event', async () => {
    const environment = { ...request('env').environment, CODEY_ENV_FILE: '/tmp/x', KODER_ENV_FILE: '/tmp/x' };
    expect((await runner().run(request('env', { environment }))).stdout).toBe('{"envFile":null,"run":"run"}');
  });

  it.each([
    ['twice', 'answered a request that is not open'],
    ['unknown', 'answered a request that is not open'],
    ['garbage', 'printed a line that is no answer'],
  ])('may misbehave without deciding anything, and that is said once: %s', async (act, words) => {
    const { run } = runner();
    expect((await run(request(act))).end).toEqual({ kind: 'exited', code: 0 });
    expect((await run(request(act))).end).toEqual({ kind: 'exited', code: 0 });
    expect((await run(request('silent'))).end).toEqual({ kind: 'exited', code: 0 });
    expect(notices).toEqual([`the worker of hook PreToolUse:00000000 ${words}; that is ignored`]);
  });

  it('that crashes fails what is open and is started again', async () => {
    const { run } = runner();
    const [open, crashed] = await Promise.all([run(request('hold')), run(request('crash'))]);
    const end = {
      kind: 'failed',
      cause: 'worker',
      message: 'its worker ended with exit code 3 before it answered: it broke',
    };
    expect([open.end, crashed.end]).toEqual([end, end]);
    expect((await run(request('text'))).stdout).toBe('some text');
    expect(starts()).toBe(2);
  });

  it('that crashes again and again is not started in a rush', async () => {
    const crashes: number[] = [];
    const { run } = runner({
      backOffMs(count) {
        crashes.push(count);
        return count === 2 ? 60_000 : 0;
      },
    });
    await run(request('crash'));
    await run(request('crash'));
    const { end } = await run(request('silent', { deadlineMs: 300 }));
    expect(end).toEqual({ kind: 'timed-out', afterMs: 300 });
    expect([crashes, starts()]).toEqual([[1, 2], 2]);
  });

  it('that prints a line without end is ended', async () => {
    const { run } = runner();
    expect((await run(request('flood'))).end).toMatchObject({ kind: 'failed', cause: 'worker' });
    expect((await run(request('silent'))).end).toEqual({ kind: 'exited', code: 0 });
  });

  it.each([
    ['node gone.mjs', 'there is no'],
    ['no-such-program', 'a program its worker names was not found'],
  ])(
    'that cannot be started is a failed hook: %s [contract.failure.launch-is-no-verdict]',
    async (command, words) => {
      const { end } = await runner().run(request('silent', {}, command));
      expect(end).toMatchObject({ kind: 'failed', message: expect.stringContaining(words) });
    },
  );

  it('is closed when nobody asks for a while, and started again', async () => {
    const { run } = runner({ idleMs: 50 });
    await run(request('silent'));
    const pid = Number(readFileSync(join(folder, 'starts'), 'utf8'));
    while (alive(pid)) await sleep(20);
    await run(request('silent'));
    expect(starts()).toBe(2);
  });

  it('ends when its runner closes, and is not started after that', async () => {
    const made = runner();
    await made.run(request('silent'));
    const pid = Number(readFileSync(join(folder, 'starts'), 'utf8'));
    await made.close();
    expect(alive(pid)).toBe(false);
    expect((await made.run(request('silent'))).end).toMatchObject({ kind: 'failed', cause: 'worker' });
  });
});

describe('the deadline of a request', () => {
  it('passes without the answer, which is dropped when it comes late', async () => {
    const { run } = runner();
    await run(request('silent'));
    expect((await run(request('late', { deadlineMs: 150 }))).end).toEqual({
      kind: 'timed-out',
      afterMs: 150,
    });
    await sleep(600);
    expect(notices).toEqual([]);
  });

  it('costs a worker its post, but not what is open in it', async () => {
    const { run } = runner();
    await run(request('silent'));
    const open = run(request('late'));
    expect((await run(request('hold', { deadlineMs: 100 }))).end.kind).toBe('timed-out');
    expect((await run(request('silent'))).end).toEqual({ kind: 'exited', code: 0 });
    expect((await open).end).toEqual({ kind: 'exited', code: 2 });
    expect(starts()).toBe(2);
  });

  it('does not count for a cancelled request, after which the worker stays', async () => {
    const { run } = runner();
    await run(request('silent'));
    const cancel = new AbortController();
    const held = run(request('hold', { signal: cancel.signal }));
    cancel.abort();
    expect((await held).end).toEqual({ kind: 'cancelled' });
    await run(request('silent'));
    expect(starts()).toBe(1);
  });

  it('holds against a worker that never reads', async () => {
    const input = `${JSON.stringify({ text: 'x'.repeat(1_000_000) })}\n`;
    const { end } = await runner().run(request('', { input, deadlineMs: 300 }, 'sleep 600'));
    expect(end).toEqual({ kind: 'timed-out', afterMs: 300 });
  });
});

describe('the protocol', () => {
  it('puts the payload’s own bytes into one line', () => {
    expect(encodeRequest(3, 'Stop', '{"a": 1}\n')).toBe('{"id":3,"event":"Stop","payload":{"a": 1}}\n');
  });

  it.each(['', 'null', '[]', '{"id":"1"}', '{"output":{}}', '{"id":1'])('takes %j for noise', (line) => {
    expect(parseReply(line)).toEqual({ kind: 'noise' });
  });
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
