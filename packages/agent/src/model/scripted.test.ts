import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Message, type Model, ModelError, type ModelEvent } from './model.ts';
import { createScriptedModel, loadScriptedModel } from './scripted.ts';

async function script(text: string, waits: number[] = []): Promise<Model> {
  return createScriptedModel({ path: 'story.yaml', text, wait: async (ms) => void waits.push(ms) });
}

interface Asking {
  readonly name?: string;
  readonly type?: string;
  readonly messages?: readonly Message[];
  readonly signal?: AbortSignal;
}

async function ask(
  model: Model,
  { name = 'main', type = name, messages = [], signal }: Asking = {},
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const request = {
    system: '',
    messages,
    tools: [],
    agent: { type, name },
    signal: signal ?? new AbortController().signal,
  };
  for await (const event of model.stream(request)) events.push(event);
  return events;
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
}

const zero = { input: 0, output: 0 };

describe('the scripted model', () => {
  it('streams text in pieces, then calls, then the end', async () => {
    const model = await script(
      '- text: one two three four\n  calls:\n    - tool: run_shell\n      input: {command: ls}\n    - tool: todo_write\n',
    );
    expect(await ask(model)).toEqual([
      { kind: 'text', text: 'one two' },
      { kind: 'text', text: ' three four' },
      { kind: 'call', call: { id: 'main_call_1', tool: 'run_shell', input: { command: 'ls' } } },
      { kind: 'call', call: { id: 'main_call_2', tool: 'todo_write', input: {} } },
      { kind: 'finish', reason: 'calls', usage: zero },
    ]);
  });

  it.each(['', 'word', ' a  b\n\nc\n', '\n \n', 'ein zwei drei vier fünf sechs sieben'])(
    'changes nothing in %j',
    async (text) => {
      expect(textOf(await ask(await script(JSON.stringify([{ text }]))))).toBe(text);
    },
  );

  it('says that the script ended, as often as it is asked', async () => {
    const model = await script('- text: only one\n');
    const answers = [await ask(model), await ask(model), await ask(model)];
    expect(answers.map(textOf)).toEqual(['only one', '(script ended)', '(script ended)']);
    expect(answers.at(-1)?.at(-1)).toEqual({ kind: 'finish', reason: 'stop', usage: zero });
  });

  it('plays to every agent its own script from the start, by name before type', async () => {
    const model = await script(
      'main: [{text: m1}, {text: m2}]\nagents:\n  reviewer: [{text: r1}, {text: r2}]\n  reviewer-2: [{text: own}]\n',
    );
    const answers = [
      await ask(model),
      await ask(model, { type: 'reviewer', name: 'reviewer' }),
      await ask(model, { type: 'reviewer', name: 'reviewer-2' }),
      await ask(model, { type: 'reviewer', name: 'reviewer-3' }),
      await ask(model, { type: 'reviewer', name: 'reviewer' }),
      await ask(model),
      await ask(model, { type: 'tester', name: 'tester' }),
    ];
    expect(answers.map(textOf)).toEqual(['m1', 'r1', 'own', 'r1', 'r2', 'm2', '(script ended)']);
  });

  it('fails with the written sentence, after the text before it', async () => {
    const model = await script('- text: half\n  error: Overloaded\n- text: next\n');
    const events: ModelEvent[] = [];
    const request = {
      system: '',
      messages: [],
      tools: [],
      agent: { type: 'main', name: 'main' },
      signal: new AbortController().signal,
    };
    const reading = (async () => {
      for await (const event of model.stream(request)) events.push(event);
    })();
    await expect(reading).rejects.toEqual(new ModelError('script', 'Overloaded'));
    expect(textOf(events)).toBe('half');
    expect(textOf(await ask(model))).toBe('next');
  });

  it('waits before it answers and reports the written tokens', async () => {
    const waits: number[] = [];
    const model = await script('- text: late\n  delay_ms: 250\n  usage: {input: 1200, output: 30}\n', waits);
    expect((await ask(model)).at(-1)).toMatchObject({ usage: { input: 1200, output: 30 } });
    expect(waits).toEqual([250]);
  });

  it('ends a delay at once when it is interrupted, and goes on with the next answer', async () => {
    const model = await createScriptedModel({
      path: 's',
      text: '- text: late\n  delay_ms: 3600000\n- text: next\n',
    });
    const controller = new AbortController();
    const reason = new Error('interrupted');
    const asking = ask(model, { signal: controller.signal });
    controller.abort(reason);
    await expect(asking).rejects.toBe(reason);
    expect(textOf(await ask(model))).toBe('next');
  });

  it('never gives an id that a resumed conversation already holds', async () => {
    const model = await script('- calls: [{tool: run_shell}]\n- calls: [{tool: run_shell}]\n');
    const old: Message = {
      role: 'assistant',
      text: '',
      calls: [{ id: 'main_call_1', tool: 'x', input: {} }],
    };
    const ids = [await ask(model, { messages: [old] }), await ask(model)].map(
      (events) => events[0]?.kind === 'call' && events[0].call.id,
    );
    expect(ids).toEqual(['main_call_2', 'main_call_3']);
  });

  it('keeps its script when a caller changes an input', async () => {
    const text = '- &one\n  calls: [{tool: run_shell, input: {command: ls}}]\n- *one\n';
    const model = await script(text);
    const first = (await ask(model))[0];
    if (first?.kind === 'call') Object.assign(first.call.input, { command: 'changed' });
    expect((await ask(model))[0]).toMatchObject({ call: { input: { command: 'ls' } } });
  });

  it('lists every problem of its file', async () => {
    await expect(script('- txt: a\n- delay_ms: x\n')).rejects.toEqual(
      new ModelError(
        'script',
        'story.yaml:1:3  unknown key "txt"  (did you mean text?)\nstory.yaml:2:13  delay_ms must be a whole number from 0, not text',
      ),
    );
  });
});

describe('loading', () => {
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
  });

  it('reads the file and says when it cannot', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'codey-script-'));
    folders.push(folder);
    const path = join(folder, 'story.json');
    await writeFile(path, '[{"text": "from a file"}]');
    const model = await loadScriptedModel(path, files);
    expect(model.id).toBe(`script:${path}`);
    expect(textOf(await ask(model))).toBe('from a file');
    await expect(loadScriptedModel(`${path}x`, files)).rejects.toThrow(
      `cannot read the script ${path}x: there is no such file`,
    );
    await expect(loadScriptedModel(folder, files)).rejects.toThrow(
      `cannot read the script ${folder}: it is a folder`,
    );
  });
});
