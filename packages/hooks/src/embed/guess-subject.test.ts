import { expect, it } from 'vitest';
import { guessSubject } from './guess-subject.ts';

it.each([
  [
    { command: 'ls', path: 'x' },
    { kind: 'command', line: 'ls' },
  ],
  [{ cmd: 'ls' }, { kind: 'command', line: 'ls' }],
  [
    { path: 'a.ts', content: '' },
    { kind: 'path', path: 'a.ts' },
  ],
  [{ file_path: 'a.ts' }, { kind: 'path', path: 'a.ts' }],
  [{ url: 'https://example.com' }, { kind: 'url', url: 'https://example.com' }],
  [{ command: ['ls'] }, { kind: 'none' }],
  [{}, { kind: 'none' }],
] as const)('takes %j for %j', (input, subject) => {
  expect(guessSubject('any', input)).toEqual(subject);
});
