import { expect, it } from 'vitest';
import { findMentions, readMentions } from './mentions.ts';

it.each([
  ['look at @docs:file:///a/b.md, please', [{ server: 'docs', uri: 'file:///a/b.md' }]],
  [
    '@docs:note://1 and @docs:note://2 and @docs:note://1',
    [
      { server: 'docs', uri: 'note://1' },
      { server: 'docs', uri: 'note://2' },
    ],
  ],
  ['look (@docs:note://1).', [{ server: 'docs', uri: 'note://1' }]],
  ['mail ann@docs:x, ask @reviewer: what?, @other:note://1, @docs:', []],
])('%j', (text, mentions) => {
  expect(findMentions(text, ['docs'])).toEqual(mentions);
});

it('a resource that cannot be read is told to the model and to the user, an interrupted one to nobody else', async () => {
  const readResource = async (_server: string, uri: string) =>
    uri === 'note://1'
      ? ({ kind: 'text', text: 'Buy tea.' } as const)
      : ({ kind: 'problem', message: 'docs: no such note' } as const);
  const mentions = [
    { server: 'docs', uri: 'note://1' },
    { server: 'docs', uri: 'note://2' },
  ];
  const said: string[] = [];
  const read = (signal: AbortSignal) =>
    readMentions(mentions, { readResource }, signal, (text) => void said.push(text));
  const contexts = await read(new AbortController().signal);
  expect(contexts.map(({ text }) => text)).toEqual(['Buy tea.', 'It could not be read: docs: no such note']);
  expect(said).toEqual(['@docs:note://2 could not be read: docs: no such note']);
  await read(AbortSignal.abort());
  expect(said).toHaveLength(1);
});
