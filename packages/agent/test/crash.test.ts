// The program killed at any moment, and its files cut at any byte: what the next start finds, and what it says.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  createTrustStore,
  diskFiles,
  type JournalLine,
  loadSettings,
  openJournal,
  openLedger,
  readJournal,
  readLedger,
  sweepGroups,
} from '@codey/hooks';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalsFile } from '../src/gate/permissions/approvals-file.ts';
import { openPluginStore } from '../src/plugins/store.ts';
import type { SessionEntry } from '../src/session/entry.ts';
import { openSessionLog } from '../src/session/log.ts';
import { foldSession } from '../src/session/state.ts';
import { openSessionStore } from '../src/session/store.ts';
import { buildProgram } from './fixtures/build-program.ts';

let folder: string;
let writer: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'crash-')));
  writer = await buildProgram('store-writer', folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('killed while it writes', () => {
  /** What can be read of the file afterwards: how many of the writes it holds at least, or a sentence. */
  const readers: Readonly<Record<string, (home: string, root: string) => Promise<number>>> = {
    async trust(home, root) {
      const { agreements, problem } = await createTrustStore({ home }).load(root);
      expect(problem).toBeUndefined();
      return agreements.length;
    },
    async approvals(home) {
      const { rules, problem } = await approvalsFile(join(home, 'approvals.json')).load();
      expect(problem).toBeUndefined();
      return rules.length;
    },
    async plugins(home) {
      const { plugins, problem } = await openPluginStore(home, process.pid).list();
      expect(problem).toBeUndefined();
      return plugins.length;
    },
    async settings(home, root) {
      const { files } = await loadSettings({ projectRoot: root, home });
      expect(files.flatMap(({ problems }) => problems)).toEqual([]);
      return Number(/\/(\d+)-/.exec(String(files[0]?.values.model))?.[1]);
    },
  };

  it.each(Object.keys(readers))(
    'the file of %s is whole, holds what was said to be kept, and is written on by the next one',
    async (kind) => {
      const home = await mkdtemp(join(folder, `${kind}-`));
      const root = join(home, 'project');
      await mkdir(root);
      let kept = 0;
      for (let round = 0; round < 5; round++) {
        const before = kept;
        const said = await killAfter(run(kind, home, root), 2 + round * 2, round);
        // Also right behind one that was killed while it held the lock.
        expect(said).toBeGreaterThan(0);
        kept = (await readers[kind]?.(home, root)) ?? 0;
        // Agreements of one fingerprint take each other's place; the others begin to count anew in each process.
        if (kind === 'trust') expect(kept).toBeGreaterThanOrEqual(Math.min(said, 40));
        else if (kind === 'settings') expect(kept).toBeGreaterThanOrEqual(said);
        else expect(kept).toBeGreaterThanOrEqual(Math.max(before, said));
      }
    },
  );

  function run(kind: string, home: string, root: string): ChildProcess {
    return spawn(process.execPath, [writer, kind, home, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  /** Resolves with the last count it told before it was killed, some microseconds to milliseconds after `count`. */
  async function killAfter(child: ChildProcess, count: number, delayMs: number): Promise<number> {
    let last = 0;
    if (child.stdout === null) throw new Error('the child has no output');
    for await (const line of createInterface({ input: child.stdout })) {
      last = Number(line);
      if (last === count) setTimeout(() => child.kill('SIGKILL'), delayMs);
    }
    return last;
  }
});

describe('cut at any byte', () => {
  const nobody = {
    startTime: () => null,
    parent: () => null,
    environment: () => null,
    members: () => [],
    all: () => [],
    commandLine: () => null,
  };
  const user = { kind: 'user' } as const;
  const entries: readonly SessionEntry[] = [
    { kind: 'session', format: 1, id: 'x', projectRoot: '/p', cwd: '/p' },
    { kind: 'opened', source: 'startup', model: 'script:x', cwd: '/p' },
    { kind: 'run', agent: 'main', state: 'start' },
    { kind: 'prompt', agent: 'main', text: 'Look → there.', from: user },
    {
      kind: 'answer',
      agent: 'main',
      text: 'ok 🙂',
      calls: [{ id: 'c1', tool: 'run_shell', input: { command: 'ls' } }],
      usage: { input: 1, output: 1 },
      from: { kind: 'model', model: 'script:x' },
    },
    {
      kind: 'result',
      agent: 'main',
      callId: 'c1',
      tool: 'run_shell',
      output: 'a\nb',
      failed: false,
      from: { kind: 'tool', tool: 'run_shell' },
    },
    { kind: 'run', agent: 'main', state: 'end', reason: 'completed' },
  ];

  it('a session’s log keeps every whole line and is written on', async () => {
    const path = join(folder, 'log.jsonl');
    const now = () => 0;
    const { log } = await openSessionLog({ path, now, onNotice: fail });
    for (const entry of entries) log.append(entry);
    await log.close();
    const whole = await readFile(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (length) => {
        await writeFile(path, whole.subarray(0, length));
        const lines = whole.subarray(0, length).toString().split('\n').length - 1;
        const opened = await openSessionLog({ path, now, onNotice: fail });
        // The last line is whole also without its newline.
        expect([lines, lines + 1]).toContain(opened.entries.length);
        expect(opened.damaged).toBe(0);
        expect(opened.log.append({ kind: 'name', name: 'on' }).n).toBe(opened.entries.length + 1);
        await opened.log.close();
        const again = await openSessionLog({ path, now, onNotice: fail });
        await again.log.close();
        expect(again.entries).toHaveLength(opened.entries.length + 1);
        const messages = foldSession(again.entries).messages.get('main') ?? [];
        expect(messages.filter(({ role }) => role === 'tool').length).toBe(opened.entries.length > 4 ? 1 : 0);
      }),
      { numRuns: 150, examples: [[0], [1], [whole.length], [whole.length - 1]] },
    );
  });

  it('a session whose first line is lost is refused with a sentence, and its file is left as it is', async () => {
    const home = await mkdtemp(join(folder, 'home-'));
    const projectRoot = join(home, 'project');
    await mkdir(projectRoot);
    const world = { home, projectRoot, pid: process.pid, now: Date.now, onNotice: fail };
    const store = openSessionStore(world);
    const session = await store.create(projectRoot);
    session.append({ kind: 'prompt', agent: 'main', text: 'x', from: user });
    await session.close('exit');
    const path = join(store.folder ?? '', session.id, 'log.jsonl');
    const whole = await readFile(path);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.indexOf('\n') - 1 }), async (length) => {
        const cut = whole.subarray(0, length);
        await writeFile(path, cut);
        const opened = await store.open(session.id);
        expect(opened).toMatchObject({ kind: 'unreadable', message: expect.stringContaining(path) });
        expect(await readFile(path)).toEqual(cut);
        expect(await store.list()).toBeInstanceOf(Array);
      }),
      { numRuns: 40 },
    );
  });

  it('the journal gives every whole line, tells of the torn one, and is written on [contract.journal.append-only]', async () => {
    const projectRoot = join(folder, 'journal-project');
    await mkdir(projectRoot);
    const path = join(projectRoot, '.codey/events.jsonl');
    const options = { projectRoot, session: 's', pid: process.pid, now: () => 0, onNotice: fail };
    const journal = await openJournal(options);
    for (let count = 0; count < 6; count++) journal.append({ kind: 'notice', what: `→ ${count}` });
    await journal.close();
    const whole = await readFile(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (length) => {
        await writeFile(path, whole.subarray(0, length));
        const lines = whole.subarray(0, length).toString().split('\n').length - 1;
        const next = await openJournal({ ...options, session: 'next' });
        next.append({ kind: 'notice', what: 'on' });
        await next.close();
        const seen: JournalLine[] = [];
        for await (const line of readJournal({ projectRoot })) seen.push(line);
        expect(seen.at(-1)).toMatchObject({ session: 'next', n: 1, kind: 'notice', what: 'on' });
        expect([lines + 1, lines + 2]).toContain(seen.length);
      }),
      { numRuns: 80, examples: [[0], [whole.length - 1]] },
    );
  });

  it('a ledger names no process that was not started, whatever became of it', async () => {
    const path = join(folder, 'ledger.jsonl');
    const marker = { name: 'CODEY_HOOK_RUN', value: 'no-such-run' };
    const ledger = openLedger(path, fail);
    // Beyond every pid there is.
    for (const pid of [2 ** 22 + 1, 2 ** 22 + 2]) ledger.started({ pid, startTime: 1, marker, what: 'x' });
    ledger.ended(2 ** 22 + 1);
    ledger.close();
    const whole = await readFile(path, 'utf8');
    const odd = fc.constantFrom(
      ...[0, -1, 1, 1.5, 1e300].map((pid) =>
        JSON.stringify({ started: { pid, startTime: 1, marker, what: 'x' } }),
      ),
      '{"ended":null}',
      '{"started":{"pid":"7"}}',
      '\0\0\0',
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), fc.array(odd, { maxLength: 3 }), async (length, more) => {
        await writeFile(path, [whole.slice(0, length), ...more].join('\n'));
        const groups = await readLedger(path);
        const signalled: number[] = [];
        const { gone, left } = await sweepGroups(groups, {
          proc: { ...nobody, startTime: () => 1 },
          kill(pid, signal) {
            if (signal !== 0) signalled.push(pid);
            throw Object.assign(new Error('nobody is there'), { code: 'ESRCH' });
          },
        });
        expect(gone + left).toBe(groups.length);
        // 0 would be ourselves and -1 everything there is.
        expect(signalled.filter((pid) => !Number.isInteger(pid) || pid >= -1)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('a list of plugins counts for nothing, with a sentence that names the file', async () => {
    const home = await mkdtemp(join(folder, 'plugins-'));
    const store = openPluginStore(home, process.pid);
    const plugin = { name: 'p', version: '1', root: join(store.folder, 'p/1'), source: './p' };
    await store.put(plugin);
    const file = join(store.folder, 'installed.json');
    const whole = await readFile(file, 'utf8');
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 2), async (length) => {
        await writeFile(file, whole.slice(0, length));
        expect(await store.list()).toEqual({ plugins: [], problem: expect.stringContaining(file) });
        await expect(store.put(plugin)).rejects.toThrow(file);
        expect(await readFile(file, 'utf8')).toBe(whole.slice(0, length));
      }),
      { numRuns: 40, examples: [[0], [1]] },
    );
  });

  it('agreements and approvals count for nothing, with a sentence that names the file [contract.trust.repo-hooks-held]', async () => {
    const home = await mkdtemp(join(folder, 'half-'));
    const trust = createTrustStore({ home });
    await trust.agree('/p', [
      { fingerprint: 'f', subject: 'Stop', file: 'f', runs: 'x', definition: '', marks: {} },
    ]);
    const approvals = approvalsFile(join(home, 'approvals.json'));
    await approvals.keep('run_shell(ls)');
    const [trusted, approved] = await Promise.all([
      readFile(trust.file, 'utf8'),
      readFile(join(home, 'approvals.json'), 'utf8'),
    ]);
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), async (share) => {
        // Without the last newline a file is still whole.
        await writeFile(trust.file, trusted.slice(0, Math.floor(share * (trusted.length - 1))));
        await writeFile(
          join(home, 'approvals.json'),
          approved.slice(0, Math.floor(share * (approved.length - 1))),
        );
        const loaded = await trust.load('/p');
        expect(loaded).toEqual({ agreements: [], problem: expect.stringContaining(trust.file) });
        const kept = await approvals.load();
        expect(kept).toEqual({ rules: [], problem: expect.stringContaining('approvals.json') });
        // And nothing is written over what somebody may want to look at.
        expect(await trust.agree('/q', [])).toMatchObject({ ok: false });
        expect(await approvals.keep('x')).toMatchObject({ problem: expect.any(String) });
      }),
      { numRuns: 40 },
    );
  });
});

it('a journal that cannot be written any more says so, and the program goes on', async () => {
  const projectRoot = join(folder, 'full-project');
  await mkdir(projectRoot);
  const said: string[] = [];
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const files = {
    ...diskFiles,
    open: async (...args: Parameters<typeof diskFiles.open>) => {
      const handle = await diskFiles.open(...args);
      return new Proxy(handle, {
        get(target, key) {
          if (key === 'write' || key === 'writev' || key === 'appendFile' || key === 'writeFile')
            return () => Promise.reject(full);
          const value: unknown = Reflect.get(target, key);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    },
  };
  const journal = await openJournal({
    projectRoot,
    session: 's',
    pid: process.pid,
    now: () => 0,
    onNotice: (text) => void said.push(text),
    files,
  });
  journal.append({ kind: 'notice', what: 'lost' });
  await journal.flush();
  await journal.close();
  expect(said).toEqual([expect.stringContaining('events.jsonl')]);
});

function fail(text: string): void {
  throw new Error(text);
}
