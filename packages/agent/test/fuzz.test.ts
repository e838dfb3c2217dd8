// What reads sessions, scripts, skills and definitions never throws, whatever stands in their files.
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScript } from '../src/model/script-file.ts';
import type { SessionEntry } from '../src/session/entry.ts';
import { encodeEntry, parseLine } from '../src/session/line.ts';
import { foldSession } from '../src/session/state.ts';
import { parseSkill } from '../src/skills/parse.ts';
import { type Model, ModelError } from '../src/model/model.ts';
import { createModel } from '../src/model/providers.ts';
import { parseDefinition } from '../src/subagents/parse-definition.ts';
import { anthropicWire } from '../src/testing/wire/anthropic.ts';
import { googleWire } from '../src/testing/wire/google.ts';
import { startWireServer, type WireName } from '../src/testing/wire/index.ts';
import { compatibleWire } from '../src/testing/wire/openai-compatible.ts';
import { openaiWire } from '../src/testing/wire/openai.ts';
import type { WireFormat } from '../src/testing/wire/wire.ts';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'main', 'x', '---', '\u202e'));
const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>([null], [{}], {}, [], [1], { a: null }, 'x', -1, null),
);

/** Most fields are right, one in six holds anything or is missing. */
const almost = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([key, right]) => [
        key,
        fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: anyJson }),
      ]),
    ),
    { requiredKeys: [] },
  );

/** Up to three pieces taken out, put in or put elsewhere. */
const mangled = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      text,
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(8), anyText), { maxLength: 3 }),
    )
    .map(([whole, changes]) =>
      changes.reduce((now, [where, taken, put]) => {
        const at = Math.floor(where * now.length);
        return now.slice(0, at) + put.slice(0, 12) + now.slice(at + taken);
      }, whole),
    );

describe('the log of a session', () => {
  const kinds: readonly SessionEntry['kind'][] = [
    ...(['session', 'opened', 'prompt', 'context', 'answer', 'result', 'compacted', 'run'] as const),
    ...(['agent', 'once', 'env', 'cwd', 'name', 'closed'] as const),
  ];
  const name = fc.constantFrom('main', 'reviewer', '__proto__');
  const callId = fc.constantFrom('c1', 'c2');
  const fields = {
    n: fc.nat(20),
    time: fc.constant('2026-01-01T00:00:00.000Z'),
    kind: fc.constantFrom(...kinds),
    agent: name,
    type: name,
    text: anyText,
    format: fc.constant(1),
    id: fc.constant('s'),
    projectRoot: fc.constant('/p'),
    cwd: fc.constant('/p'),
    source: fc.constantFrom('startup', 'resume', 'PreToolUse'),
    model: fc.constant('script:x'),
    calls: fc.array(almost({ id: callId, tool: name, input: fc.constant({}) }), { maxLength: 2 }),
    usage: almost({ input: fc.nat(9), output: fc.nat(9) }),
    callId,
    tool: name,
    output: anyText,
    failed: fc.boolean(),
    summary: anyText,
    keptFrom: fc.nat(20),
    state: fc.constantFrom('start', 'end', 'started', 'gone'),
    identity: fc.constant('i'),
    values: fc.dictionary(fc.constantFrom('A', 'B', '__proto__'), fc.constantFrom('x', null)),
    name: anyText,
    reason: fc.constantFrom('exit', 'crashed'),
    from: almost({ kind: fc.constantFrom('user', 'hook'), event: name, id: name }),
  };
  const line = fc
    .record(
      Object.fromEntries(
        Object.entries(fields).map(([key, right]) => [
          key,
          fc.oneof(
            { weight: 24, arbitrary: right as fc.Arbitrary<unknown> },
            { weight: 1, arbitrary: anyJson },
          ),
        ]),
      ),
    )
    .map((entry) => JSON.stringify(entry));

  it('is folded into a conversation a model accepts, whatever its lines hold', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(line, mangled(line)), { maxLength: 25 }), (lines) => {
        const entries = lines.flatMap((text) => {
          const parsed = parseLine(text);
          return parsed.kind === 'entry' ? [parsed.entry] : [];
        });
        const state = foldSession(entries);
        expect([state.usage.input, state.usage.output].every(Number.isFinite)).toBe(true);
        for (const value of state.env.values()) expect(typeof value).toBe('string');
        for (const messages of state.messages.values()) {
          const open: string[] = [];
          for (const message of messages) {
            if (message.role === 'tool') {
              expect(open).toContain(message.callId);
              open.splice(open.indexOf(message.callId), 1);
              continue;
            }
            expect(open).toEqual([]);
            if (message.role === 'assistant') open.push(...new Set(message.calls.map(({ id }) => id)));
          }
          expect(open).toEqual([]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('holds each entry as it was written', () => {
    const entry: fc.Arbitrary<SessionEntry> = fc.record({
      kind: fc.constant('prompt' as const),
      agent: anyText,
      text: anyText,
      from: fc.constant({ kind: 'user' } as const),
    });
    fc.assert(
      fc.property(entry, fc.integer({ min: 1 }), (written, n) => {
        const { entry: logged, line: text } = encodeEntry(written, n, 0);
        expect(text.indexOf('\n')).toBe(text.length - 1);
        expect(parseLine(text)).toEqual({ kind: 'entry', entry: logged });
      }),
    );
  });
});

describe('a script', () => {
  const entry = almost({
    text: anyText,
    calls: fc.array(almost({ tool: anyText, input: fc.dictionary(anyText, anyJson) }), { maxLength: 2 }),
    error: anyText,
    delay_ms: fc.constantFrom(0, 5, -1, 1e9),
    usage: almost({ input: fc.nat(), output: fc.nat() }),
    txt: anyText,
  });
  const script = fc.oneof(
    fc.array(entry, { maxLength: 3 }),
    almost({
      main: fc.array(entry, { maxLength: 2 }),
      agents: fc.dictionary(anyText, fc.array(entry, { maxLength: 2 })),
    }),
  );
  const yaml = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'main:',
          '- text: x',
          '&a',
          '*a',
          '  - ',
          '\n',
          '? ',
          ': ',
          '{',
          '}',
          '[',
          '!!binary x',
          '<<: *a',
        ),
        anyText,
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));

  it('is a script or a list of problems with their places', async () => {
    const text = fc.oneof(
      script.map((value) => JSON.stringify(value)),
      mangled(script.map((value) => JSON.stringify(value))),
      yaml,
    );
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        const parsed = await parseScript('s.yaml', written);
        if (parsed.kind === 'script') {
          for (const { calls, delayMs } of parsed.script.main) {
            expect(delayMs >= 0).toBe(true);
            for (const { input } of calls) expect(typeof input).toBe('object');
          }
        } else {
          expect(parsed.problems.length).toBeGreaterThan(0);
          for (const problem of parsed.problems) expect(problem).toMatch(/^s\.yaml:\d+:\d+ {2}\S/);
        }
      }),
      { numRuns: 600 },
    );
  });
});

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...Array.from('bcdefghi', (name, index) => {
    const before = 'abcdefgh'[index];
    return `${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`;
  }),
].join('\n');
const ring = 'hooks: &ring\n  PreToolUse: *ring';

describe('the frontmatter of a stranger', () => {
  const file = join('/p/.codey/skills/x/SKILL.md');
  const frontmatter = fc
    .array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.constantFrom('name: x', 'description: d', 'tools: [run_shell]', 'hooks:', bomb, ring),
        },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            '  PreToolUse: [{hooks: [{type: command, command: x}]}]',
            '? !!js x',
            'name: [',
          ),
        },
        { weight: 1, arbitrary: anyText },
      ),
      { maxLength: 6 },
    )
    .map((lines) => `---\n${lines.join('\n')}\n---\nbody`);

  it('makes a skill or a sentence on why not', async () => {
    await fc.assert(
      fc.asyncProperty(frontmatter, async (text) => {
        const parsed = await parseSkill({
          text,
          file,
          directory: '/p/.codey/skills/x',
          fromRepository: true,
        });
        if (!parsed.ok) expect(parsed.message).not.toBe('');
      }),
      {
        numRuns: 400,
        examples: [
          [`---\nname: x\ndescription: d\n${bomb}\n---\n`],
          [`---\nname: x\ndescription: d\n${ring}\n---\n`],
        ],
      },
    );
  });

  it('makes an agent or problems with their places', async () => {
    const agent = join('/p/.codey/agents/x.md');
    await fc.assert(
      fc.asyncProperty(frontmatter, async (text) => {
        const parsed = await parseDefinition(
          { file: agent, text, fromRepository: true },
          { knownTools: ['run_shell'], mayChooseModel: false },
        );
        const said = parsed.kind === 'problems' ? parsed.problems : parsed.warnings;
        for (const sentence of said) expect(sentence).toMatch(/^\/p\/\.codey\/agents\/x\.md:\d+:\d+ {2}\S/);
      }),
      {
        numRuns: 400,
        examples: [
          [`---\nname: x\ndescription: d\n${bomb}\n---\n`],
          [`---\nname: x\ndescription: d\n${ring}\n---\n`],
        ],
      },
    );
  });
});

describe('the stream of a provider', () => {
  const turn = {
    text: 'I will look, → and then say.',
    calls: [{ id: 'c1', tool: 'run_shell', input: { command: 'ls' } }],
    usage: { input: 5, output: 7 },
  };

  it.each<[WireName, string, string, WireFormat]>([
    ['anthropic', 'anthropic/claude-x', 'ANTHROPIC', anthropicWire],
    ['openai', 'openai/gpt-5', 'OPENAI', openaiWire],
    ['openai-compatible', 'openai-compatible/x', 'OPENAI_COMPATIBLE', compatibleWire],
    ['google', 'google/gemini-x', 'GEMINI', googleWire],
  ])('of %s ends in an answer or in one sentence, however broken it is', async (wire, id, prefix, format) => {
    const whole = format.events(turn, 0).join('');
    const broken = fc.oneof(
      mangled(fc.constant(whole)),
      fc.nat(whole.length).map((length) => whole.slice(0, length)),
      fc.tuple(fc.nat(9), fc.nat(9)).map(([from, to]) => swapped(format.events(turn, 0), from, to)),
    );
    await fc.assert(
      fc.asyncProperty(broken, async (text) => {
        const story = Array.from({ length: 20 }, () => ({ kind: 'garbage' as const, text }));
        const server = await startWireServer({ wire, story });
        try {
          const model = await createModel(id, {
            environment: { [`${prefix}_API_KEY`]: 'secret-0123456789', [`${prefix}_BASE_URL`]: server.url },
            world: { wait: async () => {}, random: () => 0, now: () => 0 },
          });
          expect(await endOf(model)).toMatch(/^(?:finish|ModelError: (?!.*secret-0123456789)[^\n]+)$/);
        } finally {
          await server.close();
        }
      }),
      { numRuns: 40 },
    );
  });

  function swapped(events: readonly string[], from: number, to: number): string {
    const moved = [...events];
    moved.splice(to % moved.length, 0, ...moved.splice(from % moved.length, 1));
    return moved.join('');
  }

  async function endOf(model: Model): Promise<string> {
    const request = {
      system: '',
      messages: [{ role: 'user', text: 'hello' }] as const,
      tools: [{ name: 'run_shell', description: 'Runs.', inputSchema: { type: 'object', properties: {} } }],
      agent: { type: 'main', name: 'main' },
      signal: new AbortController().signal,
    };
    let last = 'nothing';
    try {
      for await (const event of model.stream(request)) {
        if (event.kind === 'call') expect(typeof event.call.input).toBe('object');
        last = event.kind;
      }
      return last;
    } catch (error) {
      return error instanceof ModelError ? `ModelError: ${error.message}` : `not ours: ${String(error)}`;
    }
  }
});
