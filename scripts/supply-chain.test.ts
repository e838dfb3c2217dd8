import { describe, expect, it } from 'vitest';
import { checkBudget, checkPackages, needed } from './supply-chain.mjs';

const lock = {
  'packages/ours': { dependencies: { '@codey/theirs': '1', a: '1' }, devDependencies: { tool: '1' } },
  'packages/theirs': { dependencies: { b: '1' } },
  'node_modules/@codey/theirs': { link: true, resolved: 'packages/theirs' },
  'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '2' } },
  'node_modules/a/node_modules/b': { version: '2.0.0', license: '(AFL-2.1 OR BSD-3-Clause)' },
  'node_modules/b': {
    version: '1.0.0',
    license: 'ISC',
    optionalDependencies: { 'not-for-this-system': '1' },
  },
  'node_modules/tool': { version: '1.0.0', license: 'GPL-3.0', hasInstallScript: true },
};

describe('what a package needs', () => {
  it('is found through other packages of ours and through versions of its own', () => {
    expect(needed(lock, 'packages/ours', 'dependencies')).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/b',
    ]);
    expect(needed(lock, 'packages/ours', 'devDependencies')).toEqual(['node_modules/tool']);
  });
});

describe('a package that comes along', () => {
  it('runs nothing when it is installed and has a licence that asks for its notice only', () => {
    expect(checkPackages(lock, needed(lock, 'packages/ours', 'dependencies'))).toEqual([]);
    expect(checkPackages(lock, ['node_modules/tool'])).toEqual([
      'tool 1.0.0  runs a script when it is installed',
      'tool 1.0.0  has the licence GPL-3.0',
    ]);
  });

  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0)', true],
    ['MIT AND GPL-3.0', false],
    ['SEE LICENSE IN LICENSE.md', false],
    [undefined, false],
  ])('with %s: %s', (license, free) => {
    const entry = license === undefined ? {} : { license };
    expect(checkPackages({ 'node_modules/x': entry }, ['node_modules/x']).length === 0).toBe(free);
  });
});

it('a budget is kept in both its numbers', () => {
  const budget = { name: 'ours', from: 'dependencies', packages: 3, megabytes: 1, why: 'because' } as const;
  expect(checkBudget(budget, 3, 1)).toEqual([]);
  expect(checkBudget(budget, 4, 1)).toEqual(['ours: 4 packages, 1.0 MB  (budget: 3 and 1 MB; because)']);
  expect(checkBudget(budget, 3, 1.5)).toHaveLength(1);
});
