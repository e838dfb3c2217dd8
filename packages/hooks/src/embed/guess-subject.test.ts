import { expect, it } from 'vitest';
import { guessSubject } from './guess-subject.ts';

it.each([
  [{ cmd: 'ls' }, { kind: 'command', line: 'ls' }],
  [
    { path: 'a.ts', content: '' },
    { kind: 'path', path: 'a.ts' },
  ],
  [{ file_path: 'a.ts' }, { kind: 'path', path: 'a.ts' }],
  [{ url: 'https://example.com' }, { kind: 'url', url: 'https://example.com' }],
  [{ command: ['ls'] }, { kind: 'command', line: 'ls' }],
  [{ count: 1 }, { kind: 'none' }],
  [{ uri: 'https://example.com' }, { kind: 'url', url: 'https://example.com' }],
  [{ uri: 'file:///a%20b' }, { kind: 'path', path: '/a b' }],
  [{}, { kind: 'none' }],
] as const)('takes %j for %j', (input, subject) => {
  expect(guessSubject('any', input)).toEqual(subject);
});

it('of several arguments it takes all', () => {
  expect(guessSubject('any', { command: 'ls', path: 'x', note: 'y' })).toEqual({
    kind: 'guessed',
    subjects: [
      { kind: 'command', line: 'ls' },
      { kind: 'path', path: 'x' },
    ],
    texts: ['ls', 'x', 'y'],
    complete: true,
  });
});

it('words of a command make a line', () => {
  expect(guessSubject('any', { command: ['git', 'commit', '-m', "it's"] })).toMatchObject({
    subjects: [{ kind: 'command', line: "git commit -m 'it'\\''s'" }, {}, {}, {}, {}],
  });
  expect(guessSubject('any', { program: 'git', args: ['push', 'a b'] })).toMatchObject({
    subjects: [{ kind: 'command', line: "git push 'a b'" }],
  });
});

it('an input beyond all bounds is not known in full', () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 100; level++) deep = [deep];
  expect(guessSubject('any', { deep })).toMatchObject({ complete: false });
  expect(
    guessSubject('any', { many: Array.from({ length: 2_000 }, (_, index) => `${index}`) }),
  ).toMatchObject({
    complete: false,
  });
});
