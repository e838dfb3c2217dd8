import { describe, expect, it } from 'vitest';
import { completingAt, rank } from './completion.ts';

describe('what is being completed', () => {
  it.each([
    ['/', true, { kind: 'command', typed: '' }],
    ['/mo', true, { kind: 'command', typed: 'mo' }],
    ['/model ', true, { kind: 'argument', command: 'model', typed: '' }],
    ['/model anth', true, { kind: 'argument', command: 'model', typed: 'anth' }],
    ['/mo', false, undefined],
    ['look at @', true, { kind: 'file', typed: '' }],
    ['look at (@src/a', false, { kind: 'file', typed: 'src/a' }],
    ['me@example', true, undefined],
    ['plain', true, undefined],
  ])('%j on the first line: %j', (before, firstLine, completing) => {
    expect(completingAt(before, firstLine)).toEqual(completing);
  });
});

describe('the best matches', () => {
  it.each([
    [
      'start before last part before middle before letters',
      'app',
      ['apply.ts', 'src/app.ts', 'src/mapper.ts', 'a-pop.ts', 'zebra.ts'],
      ['apply.ts', 'src/app.ts', 'src/mapper.ts', 'a-pop.ts'],
    ],
    ['shorter before longer', 'a', ['aaa', 'a', 'aa'], ['a', 'aa', 'aaa']],
    ['in their own order before anything is typed', '', ['help', 'cd', 'a'], ['help', 'cd', 'a']],
    ['folders by their own name', 'tui', ['src/tui/', 'src/tui/app.ts'], ['src/tui/', 'src/tui/app.ts']],
    ['whatever the case', 'RE', ['README.md'], ['README.md']],
  ])('%s', (_name, typed, candidates, ranked) => {
    expect(rank(candidates, typed, 10)).toEqual(ranked);
  });

  it('are only so many', () => {
    expect(rank(['a1', 'a2', 'a3'], 'a', 2)).toEqual(['a1', 'a2']);
  });
});
