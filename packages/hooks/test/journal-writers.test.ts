// Several real processes write one journal, and take one lock.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeProcess } from '../src/journal/owner.ts';
import { readJournal } from '../src/journal/read.ts';
import { buildProgram } from './fixtures/build-program.ts';

let folder: string;
let writer: string;
let taker: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'));
  [writer, taker] = await Promise.all([
    buildProgram('journal-writer', folder),
    buildProgram('lock-taker', folder),
  ]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('concurrent writers', () => {
  it('lose and tear no line over many rotations [contract.journal.append-only]', async () => {
    const root = await mkdtemp(join(folder, 'project-'));
    const count = 400;
    const sessions = ['one', 'two', 'three', 'four'];
    await Promise.all(sessions.map((session) => run(writer, [root, session, `${count}`, '8000', '100'])));

    let damaged = 0;
    const seen = new Map(sessions.map((session) => [session, [] as number[]]));
    for await (const line of readJournal({ projectRoot: root, onDamaged: () => damaged++ })) {
      seen.get(line.session)?.push(line.n);
    }
    expect(damaged).toBe(0);
    for (const numbers of seen.values()) {
      expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
    }

    const names = await readdir(join(root, '.codey'));
    expect(names.filter((name) => name.includes('.lock'))).toEqual([]);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names.filter((each) => each.startsWith('events.jsonl'))) {
      const path = join(root, '.codey', name);
      const text = await readFile(path, 'utf8');
      expect(text.endsWith('\n')).toBe(true);
      for (const line of text.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
  });

  it('keep three files beside the one being written [contract.journal.append-only]', async () => {
    const root = await mkdtemp(join(folder, 'project-'));
    await Promise.all(['one', 'two'].map((session) => run(writer, [root, session, '300', '4000', '3'])));
    const names = (await readdir(join(root, '.codey'))).sort();
    expect(names).toEqual([
      '.gitignore',
      'events.jsonl',
      'events.jsonl.1',
      'events.jsonl.2',
      'events.jsonl.3',
    ]);
  });
});

describe('a lock of a process that was killed', () => {
  it('is taken over by exactly one of many that find it at once', async () => {
    for (let round = 0; round < 5; round++) {
      const path = join(folder, `lock-${round}`);
      const dead = spawn(process.execPath, ['-e', '']);
      const owner = describeProcess(dead.pid ?? 0);
      await once(dead, 'exit');
      await writeFile(path, JSON.stringify(owner));

      const takers = Array.from({ length: 6 }, () => startTaker(path));
      const answers = await Promise.all(takers.map(({ answer }) => answer));
      expect(answers.filter((answer) => answer === 'held')).toHaveLength(1);
      await Promise.all(takers.map(({ end }) => end()));
      expect(
        (await readdir(folder)).filter((name) => name.startsWith('lock-') && !name.endsWith('.mjs')),
      ).toEqual([]);
    }
  });
});

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const [code] = await once(child, 'exit');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

function startTaker(path: string): { answer: Promise<string>; end: () => Promise<void> } {
  const child = spawn(process.execPath, [taker, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  return {
    answer: once(child.stdout, 'data').then(([data]) => String(data).trim()),
    async end() {
      child.stdin.end();
      await exit;
    },
  };
}
