import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FileLine, readLines } from './line-reader.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lines-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function read(text: string, longest = 1_000_000): Promise<readonly FileLine[]> {
  const path = join(folder, 'file');
  await writeFile(path, text);
  const handle = await open(path);
  const found: FileLine[] = [];
  for await (const lines of readLines(handle, longest)) found.push(...lines);
  await handle.close();
  return found;
}

it('gives nothing for an empty file', async () => {
  expect(await read('')).toEqual([]);
});

it('tells a last line without a newline', async () => {
  expect(await read('a\n\nbc')).toEqual([
    { text: 'a', start: 0, end: 2, closed: true },
    { text: '', start: 2, end: 3, closed: true },
    { text: 'bc', start: 3, end: 5, closed: false },
  ]);
});

it('puts lines and letters together that a chunk cuts', async () => {
  // Three bytes a letter and lines of all lengths: every way of being cut occurs.
  const texts = Array.from({ length: 700 }, (_, i) => '→'.repeat(i * 2));
  const lines = await read(`${texts.join('\n')}\n`);
  expect(lines.map(({ text }) => text)).toEqual(texts);
  const starts = lines.map(({ start }) => start);
  expect(starts.slice(1)).toEqual(lines.slice(0, -1).map(({ end }) => end));
});

it('does not keep the whole of a line that is too long', async () => {
  const [long, next] = await read(`${'x'.repeat(3_000_000)}\nnext\n`, 1000);
  expect(long?.text.length).toBeLessThan(300_000);
  expect(long?.end).toBe(3_000_001);
  expect(next?.text).toBe('next');
});
