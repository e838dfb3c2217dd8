import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { defineHook, deny } from './index.ts';
import { serveHooks } from './serve-hooks.ts';

const guard = defineHook('PreToolUse', async ({ tool_name, tool_input }) => {
  // As in JavaScript, where no compiler objects.
  if (tool_name === 'wrong') return tool_input;
  if (tool_name === 'throw') throw new Error('out of order');
  if (tool_input.wait === true) await new Promise((resolve) => setImmediate(resolve));
  return tool_name === 'run_shell' ? deny('no shell') : undefined;
});

async function serve(lines: readonly unknown[]) {
  const output = new PassThrough();
  const errors = new PassThrough();
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const code = await serveHooks([guard], { input: Readable.from([text]), output, errors });
  const read = (stream: PassThrough) => String(stream.read() ?? '');
  return { code, stdout: read(output), stderr: read(errors) };
}

const event = (tool_name: string, tool_input: object = {}) => ({
  event: 'PreToolUse',
  tool_name,
  tool_input,
});

describe('serveHooks as a command', () => {
  it('prints the answer as one JSON object', async () => {
    const { code, stdout, stderr } = await serve([event('run_shell')]);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({ decision: 'block', reason: 'no shell' });
  });

  it('prints nothing where nothing is said', async () => {
    expect(await serve([event('read_file')])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each([
    ['a hook that throws', event('throw'), 'out of order\n'],
    [
      'an event it has no hook for',
      { event: 'Stop' },
      'this program has hooks for PreToolUse, and was asked about Stop\n',
    ],
    [
      'an answer in other words',
      event('wrong', { decision: 'block', reason: 'no' }),
      expect.stringMatching(/^the answer has no "decision"; make it with deny/),
    ],
    [
      'a verdict in other words',
      event('wrong', { verdict: { kind: 'block' } }),
      expect.stringMatching(/^the answer's verdict is \{"kind":"block"\}; /),
    ],
    ['what is no object', '[1]', 'stdin holds no JSON object\n'],
  ])('fails with exit code 1 for %s', async (_, line, stderr) => {
    expect(await serve([line])).toEqual({ code: 1, stdout: '', stderr });
  });
});

describe('serveHooks as a worker', () => {
  it('answers each request once, as they come to be answered', async () => {
    const { code, stdout } = await serve([
      { id: 1, event: 'PreToolUse', payload: event('run_shell', { wait: true }) },
      { id: 2, event: 'PreToolUse', payload: event('read_file') },
      { id: 3, event: 'PreToolUse', payload: event('throw') },
    ]);
    const replies = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(replies.at(-1)).toEqual({ id: 1, output: { decision: 'block', reason: 'no shell' } });
    expect(replies).toContainEqual({ id: 2 });
    expect(replies).toContainEqual({ id: 3, error: 'out of order' });
  });
});
