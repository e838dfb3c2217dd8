import { expect, it } from 'vitest';
import { expandServerPrompt, readArguments, sayUnknownPrompt, usageOf } from './server-prompt.ts';

const argument = (name: string, required = false, description = '') => ({ name, required, description });
const review = {
  server: 'code',
  name: 'review',
  description: 'Reviews.',
  arguments: [argument('file', true, 'which one'), argument('style')],
};

async function expand(text: string, ready: (signal: AbortSignal) => Promise<void> = async () => {}) {
  const notices: string[] = [];
  const asked: object[] = [];
  const expanded = await expandServerPrompt(text, {
    signal: new AbortController().signal,
    notice: (said) => notices.push(said),
    mcp: {
      servers: () => [
        { name: 'code', place: '', status: { kind: 'ready' }, tools: 0, resources: 0, prompts: 1 },
      ],
      ready,
      prompts: () => [review],
      expandPrompt: async (server, name, values) => {
        asked.push({ server, name, values });
        return values.file === 'gone'
          ? { kind: 'problem', message: 'there is no such file' }
          : { kind: 'text', text: `Review ${values.file}.` };
      },
    },
  });
  return { expanded, notices, asked };
}

it('is filled in with what was typed behind it', async () => {
  expect(await expand('/code:review a.ts short and kind')).toEqual({
    expanded: 'Review a.ts.',
    notices: [],
    asked: [{ server: 'code', name: 'review', values: { file: 'a.ts', style: 'short and kind' } }],
  });
});

it.each(['review a.ts', '/review a.ts', '/other:review a.ts', 'see /code:review a.ts', '/code: review'])(
  'leaves %s as it is',
  async (text) => {
    expect(await expand(text)).toEqual({ expanded: text, notices: [], asked: [] });
  },
);

it.each([
  ['/code:reviw a.ts', 'the server offers only /code:review.'],
  ['/code:review', 'it needs file (which one).'],
  ['/code:review gone', 'there is no such file'],
])('tells user and model why %s was not filled in', async (text, why) => {
  const { expanded, notices } = await expand(text);
  expect(expanded).toBe(`${text}\n\n(This prompt of the MCP server code could not be filled in: ${why})`);
  expect(notices).toEqual([`${text.split(' ')[0]} was not filled in: ${why}`]);
});

it.each([
  ['/code:reviw a.ts', 'There is no prompt /code:reviw; there are /plug:in, /code:review.'],
  ['/cod:review a.ts', 'There is no prompt /cod:review; there are /plug:in, /code:review.'],
  ['/code:review a.ts', undefined],
  ['/plug:in words', undefined],
  ['/code: review', undefined],
  ['/main.ts:12 is wrong', undefined],
  ['/tmp:/usr/bin is my PATH', undefined],
  ['/etc/hosts:3 is wrong', undefined],
])('of %j the unknown ones are refused', async (text, why) => {
  const servers = () => [
    { name: 'code', place: '', status: { kind: 'ready' as const }, tools: 0, resources: 0, prompts: 1 },
  ];
  const mcp = {
    servers,
    ready: async () => {},
    prompts: () => [review],
    expandPrompt: async () => ({ kind: 'text' as const, text: '' }),
  };
  const { signal } = new AbortController();
  expect(await sayUnknownPrompt(text, ['plug:in'], { mcp, signal })).toBe(why);
});

it('is left as it is when the wait for its server is interrupted', async () => {
  const { expanded, asked } = await expand('/code:review a.ts', () =>
    Promise.reject(new Error('interrupted')),
  );
  expect([expanded, asked]).toEqual(['/code:review a.ts', []]);
});

it.each([
  ['', {}],
  ['a b c', { file: 'a', style: 'b c' }],
  ['"a b" c', { file: 'a b', style: 'c' }],
  ['style=kind a b', { file: 'a b', style: 'kind' }],
  ["file='a b' x=1", { file: 'a b', style: 'x=1' }],
  ['"unclosed', { file: '"', style: 'unclosed' }],
])('reads the arguments %j', (text, values) => {
  expect(readArguments(text, review.arguments)).toEqual(values);
});

it('says how it is typed', () => {
  expect(usageOf(review)).toBe('<file> [style]');
});
