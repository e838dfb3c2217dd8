import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, tool, type ToolSet } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToolGate, openHooks, type OpenedHooks, withHooks, type WithHooksOptions } from './index.ts';

let folder: string;
let hooks: OpenedHooks | undefined;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'ai-sdk-')));
});
afterEach(async () => {
  await hooks?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function gateWith(event: string, ...lines: readonly string[]) {
  const home = path.join(folder, 'home');
  mkdirSync(path.join(home, '.codey'), { recursive: true });
  const settings = {
    hooks: { [event]: [{ hooks: lines.map((command) => ({ type: 'command', command })) }] },
  };
  writeFileSync(path.join(home, '.codey/settings.json'), JSON.stringify(settings));
  hooks = await openHooks({ projectRoot: folder, home, environment: process.env, notify: () => {} });
  return createToolGate(hooks);
}

const say = (specific: object) => `echo '${JSON.stringify({ hookSpecificOutput: specific })}'`;

const weather = tool({
  description: 'The weather of a city.',
  inputSchema: jsonSchema<{ city: string }>(
    { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    {
      validate: (value) => {
        const checked = v.safeParse(v.object({ city: v.string() }), value);
        return checked.success
          ? { success: true, value: checked.output }
          : { success: false, error: new Error(checked.issues[0].message) };
      },
    },
  ),
  execute: async ({ city }) => ({ city, sky: 'clear' }),
});

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Calls the tool once, then answers; the second request shows what the model got. */
function scriptedModel() {
  let answered = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      answered += 1;
      const call = {
        type: 'tool-call',
        toolCallId: 'call_1',
        toolName: 'weather',
        input: '{"city":"Bonn"}',
      } as const;
      return {
        content: [answered === 1 ? call : { type: 'text', text: 'done' }],
        finishReason: { unified: answered === 1 ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}

async function converse(tools: ToolSet) {
  const model = scriptedModel();
  const { steps } = await generateText({ model, tools, prompt: 'weather?', stopWhen: stepCountIs(3) });
  const seen = model.doGenerateCalls[1]?.prompt.at(-1)?.content[0];
  if (typeof seen !== 'object' || seen.type !== 'tool-result') throw new Error('the model saw no result');
  return {
    content: steps[0]?.content,
    model: seen.output,
  };
}

const resultIn = (content: readonly { type: string }[] | undefined) =>
  content?.find((part) => part.type === 'tool-result');

it('changes nothing where no hook speaks', async () => {
  const plain = await converse({ weather });
  const gated = await converse(withHooks({ weather }, await gateWith('PreToolUse')));
  expect(gated).toEqual(plain);
});

it('gives the model the reason of a block as the error of the tool', async () => {
  const seen = await converse(
    withHooks({ weather }, await gateWith('PreToolUse', 'echo "not today" >&2; exit 2')),
  );
  expect(seen.model).toEqual({ type: 'error-text', value: 'not today' });
  expect(resultIn(seen.content)).toBeUndefined();
});

it('runs the input that a hook put in place', async () => {
  const gate = await gateWith('PreToolUse', say({ updatedInput: { city: 'Ulm' } }));
  expect(resultIn((await converse(withHooks({ weather }, gate))).content)).toMatchObject({
    output: { city: 'Ulm', sky: 'clear' },
  });
});

it.each([
  ['a schema of the SDK', weather.inputSchema],
  ['a schema of a library', v.object({ city: v.string() })],
  ['a schema made when it is needed', () => weather.inputSchema],
])('refuses a changed input that does not fit %s', async (_, inputSchema) => {
  const gate = await gateWith('PreToolUse', say({ updatedInput: { town: 'Ulm' } }));
  const guarded = withHooks({ weather: { ...weather, inputSchema } }, gate);
  const execute = guarded.weather.execute as (input: unknown, options: object) => Promise<unknown>;
  await expect(execute({ city: 'Bonn' }, { toolCallId: 'call_1', messages: [] })).rejects.toThrow(
    /changed the input to one that weather cannot take: .*city/s,
  );
});

describe('shows the model what hooks say about a result, the program what the tool returned:', () => {
  const output = { city: 'Bonn', sky: 'clear' };

  it('a replacement', async () => {
    const gate = await gateWith('PostToolUse', say({ updatedToolOutput: 'clear' }));
    const seen = await converse(withHooks({ weather }, gate));
    expect(seen.model).toEqual({ type: 'text', value: 'clear' });
    expect(resultIn(seen.content)).toMatchObject({ output });
  });

  it('a remark', async () => {
    const gate = await gateWith('PostToolUse', say({ additionalContext: 'measured at noon' }));
    const seen = await converse(withHooks({ weather }, gate));
    expect(seen.model).toEqual({
      type: 'content',
      value: [
        { type: 'text', text: JSON.stringify(output) },
        { type: 'text', text: expect.stringMatching(/^measured at noon \(from the hook /) },
      ],
    });
    expect(resultIn(seen.content)).toMatchObject({ output });
  });

  it("the tool's own words for the model, with a remark", async () => {
    const gate = await gateWith('PostToolUse', say({ additionalContext: 'measured at noon' }));
    const worded = { ...weather, toModelOutput: () => ({ type: 'text', value: 'blue' }) as const };
    const seen = await converse(withHooks({ weather: worded }, gate));
    expect(seen.model).toMatchObject({
      type: 'text',
      value: expect.stringMatching(/^blue\nmeasured at noon/),
    });
  });
});

it('keeps the error of a tool and adds what hooks say', async () => {
  const gate = await gateWith('PostToolUseFailure', say({ additionalContext: 'try again later' }));
  const broken = { ...weather, execute: () => Promise.reject(new Error('no network')) };
  const seen = await converse(withHooks({ weather: broken }, gate));
  expect(seen.model).toMatchObject({
    type: 'error-text',
    value: expect.stringMatching(/^no network\ntry again later/),
  });
});

it('tells the program that a hook ended the run', async () => {
  const gate = await gateWith('PreToolUse', `echo '{"continue": false, "stopReason": "budget used up"}'`);
  const halts: string[] = [];
  const onHalt: WithHooksOptions['onHalt'] = (text) => halts.push(text);
  const seen = await converse(withHooks({ weather }, gate, { onHalt }));
  expect(halts).toEqual(['budget used up']);
  expect(seen.model).toEqual({ type: 'error-text', value: 'budget used up' });
});

it('gives the last value of a tool that streams, through streamText', async () => {
  const gate = await gateWith('PreToolUse');
  const streaming = tool({
    inputSchema: weather.inputSchema,
    async *execute() {
      yield 'looking';
      yield 'clear';
    },
  });
  let answered = 0;
  const model = new MockLanguageModelV3({
    doStream: async () => {
      answered += 1;
      const call = {
        type: 'tool-call',
        toolCallId: 'call_1',
        toolName: 'weather',
        input: '{"city":"Bonn"}',
      } as const;
      const finishReason = { unified: answered === 1 ? 'tool-calls' : 'stop', raw: undefined } as const;
      return {
        stream: simulateReadableStream({
          chunks: [...(answered === 1 ? [call] : []), { type: 'finish', finishReason, usage } as const],
        }),
      };
    },
  });
  const tools = withHooks({ weather: streaming }, gate);
  const { response } = streamText({ model, tools, prompt: 'weather?', stopWhen: stepCountIs(2) });
  const messages: readonly ModelMessage[] = (await response).messages;
  expect(messages.find(({ role }) => role === 'tool')?.content).toMatchObject([
    { output: { type: 'text', value: 'clear' } },
  ]);
});

it('takes no tool whose calls would pass by the gate, unless it is named', async () => {
  const gate = await gateWith('PreToolUse');
  const elsewhere = { inputSchema: weather.inputSchema };
  expect(() => withHooks({ elsewhere }, gate)).toThrow(TypeError);
  expect(withHooks({ elsewhere }, gate, { elsewhere: ['elsewhere'] })).toEqual({ elsewhere });
});
