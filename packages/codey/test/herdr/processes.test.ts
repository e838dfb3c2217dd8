// Real processes in a pane: how they start, share it, stop, crash and leave, with a herdr that may be stuck or gone.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OutputChunk } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createServer, type Pane } from './stand-in.mjs';

const standIn = fileURLToPath(new URL('./stand-in.mjs', import.meta.url));
const source = fileURLToPath(new URL('../fixtures/herdr-program.ts', import.meta.url));

let built: string;
let program: string;
let chunks: readonly OutputChunk[];
beforeAll(async () => {
  built = mkdtempSync(path.join(tmpdir(), 'herdr-program-'));
  program = path.join(built, 'main.js');
  writeFileSync(path.join(built, 'package.json'), '{"type":"module"}');
  const { output } = await build({
    input: { main: source },
    platform: 'node',
    resolve: { conditionNames: ['codey-source'], mainFields: ['module', 'main'] },
    moduleTypes: { '.md': 'text' },
    transform: { target: 'node20.19' },
    output: { dir: built },
    logLevel: 'silent',
  });
  chunks = output.filter((part) => part.type === 'chunk');
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

let folder: string;
let children: ChildProcess[];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'herdr-')));
  children = [];
  mkdirSync(path.join(folder, 'home'));
  writeFileSync(path.join(folder, 'server.json'), JSON.stringify(createServer(['w1:p1', 'w2:p1'])));
});
afterEach(async () => {
  // Left in good order, so that no call of theirs still writes into the folder.
  for (const child of children) child.stdin?.end();
  await Promise.all(children.map((child) => ended(child)));
  // A process that was cut off leaves a call on its way behind, which ends by itself and writes here until then.
  await until(() => expect(calls().filter(({ pid }) => writes(pid))).toEqual([]));
  rmSync(folder, { recursive: true, force: true });
});

interface Codey {
  readonly child: ChildProcess;
  /** What it said on stderr. */
  notices(): string;
  /** Lines of its stdout. */
  said(): readonly Record<string, unknown>[];
  /** Resolves when it has done all of it. */
  tell(...lines: readonly string[]): Promise<void>;
  code(): Promise<number | null>;
}

async function start(
  change: Readonly<Record<string, string | undefined>> = {},
  ...args: readonly string[]
): Promise<Codey> {
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      ...process.env,
      HOME: path.join(folder, 'home'),
      HERDR_ENV: '1',
      HERDR_PANE_ID: 'w1:p1',
      HERDR_BIN_PATH: standIn,
      HERDR_SOCKET_PATH: path.join(folder, 'herdr.sock'),
      ...change,
    },
  });
  children.push(child);
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const said = () =>
    out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const codey: Codey = {
    child,
    notices: () => err,
    said,
    async tell(...lines) {
      for (const line of lines) child.stdin?.write(`${line}\n`);
      await until(() => expect(said().filter(({ done }) => done === lines.at(-1))).not.toEqual([]));
    },
    code: () => ended(child),
  };
  await until(() => expect(said()[0]).toHaveProperty('ready'));
  return codey;
}

function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 30_000, interval: 20 });
const pane = (id = 'w1:p1'): Pane =>
  JSON.parse(readFileSync(path.join(folder, 'server.json'), 'utf8')).panes[id];
const history = (): readonly string[] => pane().history;
const behave = (mode: string): void => writeFileSync(path.join(folder, 'mode'), mode);
const calls = (): readonly {
  readonly what: string;
  readonly argv: readonly string[];
  readonly pid: number;
}[] =>
  existsSync(path.join(folder, 'calls.jsonl'))
    ? readFileSync(path.join(folder, 'calls.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];
const locks = (): readonly string[] => {
  const run = path.join(folder, 'home/.codey/run');
  return existsSync(run) ? readdirSync(run) : [];
};

describe('codey in a pane', () => {
  it('says so, reports each state and gives the pane up when it is left [codey.herdr.zero-config] [codey.herdr.start-notice] [codey.herdr.report-command] [codey.herdr.session-id-sent]', async () => {
    const codey = await start();
    expect(codey.notices()).toBe('codey: herdr detected — reporting agent state to pane w1:p1\n');
    await codey.tell('open s1');
    await until(() => expect(history()).toEqual(['idle']));
    await codey.tell('run_start s1');
    await until(() => expect(history()).toEqual(['idle', 'working']));
    await codey.tell('blocked s1 bash: rm -rf build');
    await until(() => expect(pane().labels).toEqual({ blocked: 'bash: rm -rf build' }));
    codey.child.stdin?.write('release\n');
    expect(await codey.code()).toBe(0);
    expect(history()).toEqual(['idle', 'working', 'blocked (bash: rm -rf build)', 'released']);
    expect(pane()).toMatchObject({ authority: null, tokens: {}, labels: {} });
    expect(locks()).toEqual([]);
    const reports = calls().filter(({ what, argv }) => what === 'begun' && argv[1] === 'report-agent');
    expect(reports.every(({ argv }) => argv[argv.indexOf('--agent-session-id') + 1] === 's1')).toBe(true);
    expect(calls().filter(({ what }) => /^[12]|ignored/.test(what))).toEqual([]);
  });

  it.each([
    ['a second signal ends it at once', 'exit', 3],
    ['a defect ends it', 'throw', 1],
  ])('gives the pane up when %s', async (_name, word, code) => {
    const codey = await start();
    await codey.tell('open s1', 'run_start s1');
    await until(() => expect(history()).toEqual(['idle', 'working']));
    codey.child.stdin?.write(`${word}\n`);
    expect(await codey.code()).toBe(code);
    await until(() => expect(history()).toEqual(['idle', 'working', 'released']));
  });

  it('ends a report that is under way when it is ended at once, so that none claims the pane afterwards', async () => {
    behave('holds report-agent');
    const codey = await start();
    await codey.tell('open s1');
    await until(() => expect(calls()).toHaveLength(1));
    codey.child.stdin?.write('exit\n');
    expect(await codey.code()).toBe(3);
    writeFileSync(path.join(folder, 'go'), '');
    for (const { pid } of calls()) await until(() => expect(isRunning(pid)).toBe(false));
    await until(() => expect(calls().at(-1)?.what).toMatch(/^0/));
    // On a slow machine the release is made a second time.
    expect(new Set(calls().map(({ argv }) => argv[1]))).toEqual(new Set(['report-agent', 'release-agent']));
    expect(calls().filter(({ argv }) => argv[1] === 'report-agent')).toHaveLength(1);
    expect(pane().authority).toBeNull();
  });

  it('gives the pane up while it is stopped, and takes it again when it goes on', async () => {
    const codey = await start();
    await codey.tell('open s1', 'run_start s1');
    await until(() => expect(history()).toEqual(['idle', 'working']));
    codey.child.kill('SIGTSTP');
    await until(() => expect(history()).toEqual(['idle', 'working', 'released']));
    await until(() => expect(locks()).toEqual([]));
    await until(() => expect(stateOf(codey.child)).toBe('T'));
    codey.child.kill('SIGCONT');
    await until(() => expect(history()).toEqual(['idle', 'working', 'released', 'working']));
    await until(() => expect(pane().tokens).toEqual({ session: 's1' }));
  });

  it('is followed by the next one after it was killed: the leftover is replaced, the lock taken over', async () => {
    const crashed = await start();
    await crashed.tell('open s1', 'blocked s1 bash: make');
    await until(() => expect(pane().labels).toEqual({ blocked: 'bash: make' }));
    crashed.child.kill('SIGKILL');
    await crashed.code();
    const next = await start();
    expect(next.notices()).toBe('codey: herdr detected — reporting agent state to pane w1:p1\n');
    await next.tell('open s2');
    await until(() =>
      expect(pane()).toMatchObject({ authority: { state: 'idle' }, tokens: { session: 's2' }, labels: {} }),
    );
  });
});

describe('two codeys in one pane', () => {
  it('speak with one voice, and the second takes over at its next change [contract.herdr.one-reporter]', async () => {
    const first = await start();
    const second = await start();
    expect(second.notices()).toBe(
      `codey: herdr detected — another codey (process ${first.child.pid}) reports for pane w1:p1, so this one does not\n`,
    );
    await second.tell('open s2', 'run_start s2');
    await first.tell('open s1');
    await until(() => expect(pane().tokens).toEqual({ session: 's1' }));
    expect(history()).toEqual(['idle']);
    first.child.stdin?.write('release\n');
    await first.code();
    await second.tell('blocked s2 bash: make');
    await until(() => expect(history()).toEqual(['idle', 'released', 'blocked (bash: make)']));
    expect(second.notices().match(/herdr/g)).toHaveLength(1);
  });

  it('do not get into the way of each other in two panes', async () => {
    const [one, two] = [await start(), await start({ HERDR_PANE_ID: 'w2:p1' })];
    await one.tell('open s1', 'run_start s1');
    await two.tell('open s2');
    await until(() =>
      expect([pane('w1:p1').authority?.state, pane('w2:p1').authority?.state]).toEqual(['working', 'idle']),
    );
  });
});

describe('a codey that stays silent', () => {
  it.each([
    ['one without HERDR_ENV [codey.herdr.needs-herdr-env]', { HERDR_ENV: undefined }, []],
    ['one without HERDR_PANE_ID [codey.herdr.needs-pane-id]', { HERDR_PANE_ID: undefined }, []],
    ['one without HERDR_BIN_PATH [codey.herdr.needs-bin-path]', { HERDR_BIN_PATH: undefined }, []],
    ['one with -no-hooks [codey.herdr.no-hooks-flag]', {}, ['-no-hooks']],
    ['one whose settings say herdr.report: false', {}, ['no-report']],
    ['one inside another of the same pane', { CODEY_SESSION_MARKER: 's0', CODEY_SESSION_PANE: 'w1:p1' }, []],
    ['one inside a session whose pane is not known', { CODEY_SESSION_MARKER: 's0' }, []],
  ])('is %s', async (_name, change, args) => {
    const codey = await start(change, ...args);
    await codey.tell('open s1', 'run_start s1', 'blocked s1 bash: make');
    codey.child.stdin?.write('release\n');
    await codey.code();
    expect(codey.said()[0]).toEqual({ ready: false });
    expect([codey.notices(), calls(), locks()]).toEqual(['', [], []]);
  });

  it('is not one that runs in another pane than the session above it', async () => {
    const codey = await start({
      HERDR_PANE_ID: 'w2:p1',
      CODEY_SESSION_MARKER: 's0',
      CODEY_SESSION_PANE: 'w1:p1',
    });
    await codey.tell('open s1');
    await until(() => expect(pane('w2:p1').authority?.state).toBe('idle'));
  });
});

describe('the reporter', () => {
  it('is not loaded by a program that does not report [codey.herdr.no-probing]', () => {
    const chunkOf = (file: string) =>
      chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(file)))?.fileName;
    const atStart = (name: string | undefined): readonly string[] => {
      const chunk = chunks.find(({ fileName }) => fileName === name);
      return chunk === undefined ? [] : [chunk.fileName, ...chunk.imports.flatMap(atStart)];
    };
    const reporter = chunkOf('packages/hooks/src/herdr/reporter.ts');
    expect(reporter).toBeDefined();
    expect(atStart(chunkOf('packages/codey/src/start/herdr.ts'))).not.toContain(reporter);
    for (const file of ['call', 'cli', 'pane-claim', 'reduce']) {
      expect(chunkOf(`packages/hooks/src/herdr/${file}.ts`)).toBe(reporter);
    }
  });
});

describe('a herdr in trouble', () => {
  it.each([
    ['its server is not there', 'down', 'server_not_running: no herdr server is running'],
    ['it was updated under a running server', 'updated', 'protocol_mismatch: client 21, server 20'],
  ])('is noted once when %s [codey.herdr.failure-logged]', async (_name, mode, detail) => {
    behave(mode);
    const codey = await start();
    await codey.tell('open s1');
    await until(() => expect(errors(codey)).toHaveLength(1));
    await codey.tell('run_start s1');
    await until(() => expect(calls().filter(({ what }) => what === '1')).toHaveLength(2));
    expect(errors(codey)).toMatchObject([{ cause: 'herdr', exit: 1, detail }]);
    behave('fine');
    await codey.tell('run_end s1');
    await until(() => expect(history()).toEqual(['idle']));
  });

  it('is noted when its program is gone, and codey goes on [codey.herdr.failure-logged]', async () => {
    const codey = await start({ HERDR_BIN_PATH: path.join(folder, 'removed/herdr') });
    await codey.tell('open s1');
    await until(() =>
      expect(errors(codey)).toMatchObject([{ cause: 'herdr', source: 'pane report-agent w1:p1' }]),
    );
    expect(String(errors(codey)[0]?.detail)).toContain('removed/herdr');
    codey.child.stdin?.write('release\n');
    expect(await codey.code()).toBe(0);
  });

  it('holds nobody up when it is stuck, and nothing of it is left behind', async () => {
    behave('stuck');
    const codey = await start();
    await codey.tell('open s1', 'run_start s1', 'blocked s1 bash: make', 'unblocked s1', 'run_end s1');
    await until(() => expect(errors(codey)).toMatchObject([{ detail: 'herdr did not answer within 2 s' }]));
    codey.child.stdin?.write('release\n');
    expect(await codey.code()).toBe(0);
    const releases = () => calls().filter(({ argv }) => argv[1] === 'release-agent');
    // The second one is made by a process that outlives codey.
    await until(() => expect(releases()).toHaveLength(2));
    for (const { pid } of calls()) await until(() => expect(isRunning(pid)).toBe(false));
  });

  it.each([
    ['is left', 'release', 0],
    ['is ended at once', 'exit', 3],
  ])(
    'that takes longer than codey waits frees the pane all the same when it %s',
    async (_how, word, code) => {
      const codey = await start();
      await codey.tell('open s1', 'run_start s1');
      await until(() =>
        expect(pane()).toMatchObject({ tokens: { session: 's1' }, authority: { state: 'working' } }),
      );
      behave('holds release-agent');
      codey.child.stdin?.write(`${word}\n`);
      expect(await codey.code()).toBe(code);
      expect(history()).toEqual(['idle', 'working']);
      writeFileSync(path.join(folder, 'go'), '');
      await until(() => expect(history()).toEqual(['idle', 'working', 'released']));
      expect(pane().tokens).toEqual({});
    },
  );

  it('is told the newest state alone when it is slow', async () => {
    behave('slow');
    const codey = await start();
    await codey.tell('open s1');
    await until(() => expect(calls()).not.toEqual([]));
    await codey.tell('run_start s1', 'blocked s1 bash: one', 'unblocked s1', 'run_end s1', 'run_start s1');
    await until(() => expect(pane().authority?.state).toBe('working'));
    expect(history()).toEqual(['idle', 'working']);
  });
});

function errors(codey: Codey): readonly Record<string, unknown>[] {
  return codey
    .said()
    .flatMap(({ journal }) => (journal === undefined ? [] : [journal as Record<string, unknown>]));
}

/** Runs, and is not merely a name that waits for its parent. */
function writes(pid: number): boolean {
  try {
    return stateOf({ pid }) !== 'Z';
  } catch {
    return false;
  }
}

function stateOf({ pid }: Pick<ChildProcess, 'pid'>): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2)[0];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
