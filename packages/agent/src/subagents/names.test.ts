import { expect, it } from 'vitest';
import { createNames, isAgentName } from './names.ts';

it('gives each name once in a session, an earlier part of it included', () => {
  const names = createNames(['reviewer', 'reviewer-2']);
  expect([names.give('reviewer'), names.give('tester'), names.give('tester'), names.give('main')]).toEqual([
    'reviewer-3',
    'tester',
    'tester-2',
    'main-2',
  ]);
  expect(names.count()).toBe(6);
  names.takeBack('tester-2');
  expect(names.give('tester')).toBe('tester-2');
});

it('keeps a name that was given before for one who comes again', () => {
  const names = createNames(['tester']);
  expect(names.keep('tester')).toBe('tester');
  expect(names.give('tester')).toBe('tester-2');
});

it('takes only what is safe as a branch, a folder and a word in a sidebar', () => {
  for (const good of ['a', 'reviewer-2', 'Code_Review', 'x'.repeat(40)]) expect(isAgentName(good)).toBe(true);
  for (const bad of ['', '2x', '-x', 'a b', 'a/b', '..', 'a.lock', 'ä', 'x'.repeat(41), 'a\n'])
    expect(isAgentName(bad)).toBe(false);
});
