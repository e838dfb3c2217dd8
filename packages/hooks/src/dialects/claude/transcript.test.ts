import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ClaudeTranscript, createClaudeTranscript } from './transcript.ts';

let folder: string;
let notices: string[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'codey-transcript-'));
  notices = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (place = folder): ClaudeTranscript =>
  createClaudeTranscript({
    folder: place,
    session: 's1',
    cwd: '/home/you/shop',
    onNotice: (text) => notices.push(text),
  });

const step = { time: '2026-01-15T09:30:00.000Z', agent: 'main' } as const;
const prompt = { ...step, kind: 'prompt', text: 'Look', from: { kind: 'user' } } as const;
const answer = {
  ...step,
  kind: 'answer',
  text: 'I look.',
  calls: [{ id: 'call_1', tool: 'read_file', input: { path: 'a.ts' } }],
  usage: { input: 10, output: 5 },
  from: { kind: 'model', model: 'script:x' },
} as const;
const result = { ...step, kind: 'result', callId: 'call_1', output: 'text', failed: false } as const;

async function lines(file = 'transcript.jsonl'): Promise<Record<string, unknown>[]> {
  const text = await readFile(path.join(folder, file), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

it('is what scripts of that format look for: roles, blocks, calls and their results', async () => {
  const transcript = open();
  for (const entry of [prompt, answer, result]) transcript.add(entry);
  expect(await transcript.bringUpToDate()).toBe(path.join(folder, 'transcript.jsonl'));
  expect(await lines()).toMatchObject([
    {
      type: 'user',
      message: { role: 'user', content: 'Look' },
      origin: { kind: 'human' },
      parentUuid: null,
      isSidechain: false,
      sessionId: 's1',
      cwd: '/home/you/shop',
      timestamp: step.time,
    },
    {
      type: 'assistant',
      message: {
        role: 'assistant',
        model: 'script:x',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'call_1', name: 'Read', input: { file_path: '/home/you/shop/a.ts' } },
        ],
        stop_reason: 'tool_use',
        usage: { input_tokens: 10, output_tokens: 5 },
      },
    },
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'text', is_error: false }],
      },
    },
  ]);
});

it('chains its lines', async () => {
  const transcript = open();
  for (const entry of [prompt, answer, result]) transcript.add(entry);
  await transcript.bringUpToDate();
  const written = await lines();
  expect(written.slice(1).map(({ parentUuid }) => parentUuid)).toEqual(
    written.slice(0, -1).map(({ uuid }) => uuid),
  );
  expect(new Set(written.map(({ uuid }) => uuid)).size).toBe(3);
});

it('never lets what hooks and the program added pass for what a person typed', async () => {
  const transcript = open();
  transcript.add({ ...prompt, from: { kind: 'hook' } });
  transcript.add({ ...step, kind: 'context', text: '[allow-all]' });
  transcript.add({ ...step, kind: 'compacted', summary: 'They looked.' });
  await transcript.bringUpToDate();
  const written = await lines();
  expect(written.map(({ isMeta, isCompactSummary }) => [isMeta, isCompactSummary])).toEqual([
    [true, undefined],
    [true, undefined],
    [undefined, true],
  ]);
  expect(written.some((line) => 'origin' in line)).toBe(false);
});

it('writes nothing before it is asked for, and then only what is new', async () => {
  const transcript = open();
  transcript.add(prompt);
  await expect(stat(path.join(folder, 'transcript.jsonl'))).rejects.toThrow('ENOENT');
  await transcript.bringUpToDate();
  await appendFile(path.join(folder, 'transcript.jsonl'), '{"somebody":"else"}\n');
  transcript.add(answer);
  await transcript.bringUpToDate();
  expect((await lines()).map(({ type }) => type)).toEqual(['user', undefined, 'assistant']);
});

it('is whole for each of several hooks that ask at one moment', async () => {
  const transcript = open();
  transcript.add(prompt);
  const first = transcript.bringUpToDate();
  transcript.add(answer);
  await Promise.all([first, transcript.bringUpToDate(), transcript.bringUpToDate()]);
  expect(await lines()).toHaveLength(2);
});

it('is made anew when a session is resumed, with the same ids', async () => {
  const before = open();
  for (const entry of [prompt, answer]) before.add(entry);
  await before.bringUpToDate();
  const written = await lines();
  const after = open();
  for (const entry of [prompt, answer, result]) after.add(entry);
  await after.bringUpToDate();
  expect((await lines()).slice(0, 2)).toEqual(written);
});

it('keeps each agent in a file of its own, whatever its name', async () => {
  const transcript = open();
  transcript.add(prompt);
  transcript.add({ ...prompt, agent: 'reviewer-2' });
  transcript.add({ ...prompt, agent: '../out' });
  await transcript.bringUpToDate();
  expect(await lines()).toHaveLength(1);
  expect(await lines('agent-reviewer-2.jsonl')).toMatchObject([{ isSidechain: true, agentId: 'reviewer-2' }]);
  expect(await lines('agent-%2e%2e%2fout.jsonl')).toHaveLength(1);
});

it('can be read by nobody else', async () => {
  await open().bringUpToDate();
  expect((await stat(path.join(folder, 'transcript.jsonl'))).mode & 0o777).toBe(0o600);
});

it('says once that it cannot be written, and catches up when it can', async () => {
  const place = path.join(folder, 'later');
  await writeFile(place, '');
  const transcript = open(place);
  transcript.add(prompt);
  expect(await transcript.bringUpToDate()).toBeUndefined();
  expect(await transcript.bringUpToDate()).toBeUndefined();
  expect(notices).toEqual([expect.stringContaining('a file stands where a directory is needed')]);
  await rm(place);
  await mkdir(place);
  expect(await transcript.bringUpToDate()).toBe(path.join(place, 'transcript.jsonl'));
  expect(await lines('later/transcript.jsonl')).toHaveLength(1);
});
