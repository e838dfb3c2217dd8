import { expect, it } from 'vitest';
import { findMentions } from './mentions.ts';

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
