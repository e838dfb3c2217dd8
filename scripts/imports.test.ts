import { describe, expect, it } from 'vitest';
import { repository } from './fixture.ts';
import { checkImports } from './imports.mjs';

const manifests = {
  'packages/hooks/package.json': '{"exports": {".": {}, "./testing": {}}}',
  'packages/agent/package.json': '{"exports": {".": {}}}',
  'packages/codey/package.json': '{}',
};

describe('imports between packages', () => {
  it.each([
    ['the program of the agent', 'packages/codey/src/main.ts', "import { run } from '@codey/agent';"],
    ['the agent of the engine', 'packages/agent/src/loop/run.ts', "import { run } from '@codey/hooks';"],
    ['an exported subpath', 'packages/agent/src/a.ts', "import { run } from '@codey/hooks/testing';"],
    ['a neighbour', 'packages/hooks/src/a/b.ts', "import { run } from '../c/d.ts';"],
    ['tooling in a test', 'packages/hooks/test/a.test.ts', "import { run } from '../../../scripts/a.ts';"],
    ['a dependency', 'packages/hooks/src/a.ts', "import * as v from 'valibot';"],
    ['what a comment says', 'packages/hooks/src/a.ts', "// import { run } from '@codey/agent';"],
  ])('let through an import of %s', (_, file, text) => {
    expect(checkImports(repository({ ...manifests, [file]: text }))).toEqual([]);
  });

  it.each([
    [
      'of the agent by the engine',
      'packages/hooks/src/a.ts',
      "\nimport type { Agent } from '@codey/agent';",
      'packages/hooks/src/a.ts:2  packages/hooks may not import @codey/agent',
    ],
    [
      'at run time',
      'packages/agent/src/a.ts',
      "const load = () => import('codey');",
      'packages/agent/src/a.ts:1  packages/agent may not import codey',
    ],
    [
      'inside a type',
      'packages/hooks/src/a.ts',
      "type Agent = import('@codey/agent').Agent;",
      'packages/hooks/src/a.ts:1  packages/hooks may not import @codey/agent',
    ],
    [
      'by way of a re-export',
      'packages/hooks/src/a.ts',
      "export * from '@codey/agent';",
      'packages/hooks/src/a.ts:1  packages/hooks may not import @codey/agent',
    ],
    [
      'into the inside of a package',
      'packages/codey/src/a.ts',
      "import { merge } from '@codey/hooks/src/policy/merge.ts';",
      'packages/codey/src/a.ts:1  @codey/hooks/src/policy/merge.ts is not among the exports of @codey/hooks',
    ],
    [
      'by a path into another package',
      'packages/agent/src/a.ts',
      "import { merge } from '../../hooks/src/merge.ts';",
      'packages/agent/src/a.ts:1  ../../hooks/src/merge.ts leaves packages/agent; import the package by name',
    ],
    [
      'of tooling by the program',
      'packages/codey/src/a.ts',
      "import { build } from '../../../scripts/build.mjs';",
      'packages/codey/src/a.ts:1  ../../../scripts/build.mjs leaves packages/codey; import the package by name',
    ],
  ])('find one %s', (_, file, text, finding) => {
    expect(checkImports(repository({ ...manifests, [file]: text }))).toEqual([finding]);
  });

  it('find nothing in files that git ignores', () => {
    const root = repository({
      ...manifests,
      '.gitignore': 'packages/hooks/src/old/\n',
      'packages/hooks/src/old/a.ts': "import '@codey/agent';",
    });
    expect(checkImports(root)).toEqual([]);
  });
});

describe('a foreign dialect', () => {
  const registered = {
    ...manifests,
    'packages/hooks/src/dialects/claude/names.ts': 'export const names = {};',
    'packages/hooks/src/dialects/claude/config.ts': "import { names } from './names.ts';",
    'packages/hooks/src/dialects/index.ts': "import { names } from './claude/names.ts';",
  };

  it('is imported by its registry alone', () => {
    expect(checkImports(repository(registered))).toEqual([]);
  });

  it.each([
    ['packages/hooks/src/policy/dispatch.ts', '../dialects/claude/names.ts'],
    ['packages/hooks/src/dialects/second.ts', './claude/names.ts'],
    ['packages/hooks/src/dialects/native/names.ts', '../claude/names.ts'],
  ])('is not imported by %s', (file, specifier) => {
    const root = repository({ ...registered, [file]: `import { names } from '${specifier}';` });
    expect(checkImports(root)).toEqual([
      `${file}:1  only packages/hooks/src/dialects/index.ts may import packages/hooks/src/dialects/claude`,
    ]);
  });
});

describe('what belongs to the whole process', () => {
  it.each([
    ['process.env', 'export const home = process.env.HOME;'],
    ['process.cwd', 'export const here = () => process.cwd();'],
    ['process.exit', 'globalThis.process.exit(1);'],
    ['process.cwd', "import { cwd as here } from 'node:process';"],
    ['os.homedir', "import os from 'node:os';os.homedir();"],
    ['os.homedir', "import { homedir } from 'os';"],
  ])('%s is found in the engine: %s', (used, text) => {
    expect(checkImports(repository({ ...manifests, 'packages/hooks/src/a.ts': text }))).toEqual([
      `packages/hooks/src/a.ts:1  ${used} belongs to the whole process; the engine gets it passed in`,
    ]);
  });

  it.each([
    ['in the program', 'packages/codey/src/a.ts', 'process.exit(process.env.CODE);'],
    ['in a test of the engine', 'packages/hooks/src/a.test.ts', 'process.cwd();'],
    [
      'in a string or comment',
      'packages/hooks/src/a.ts',
      "// process.env\nexport const text = 'process.env';",
    ],
    ['as process of another name', 'packages/hooks/src/a.ts', 'export const kill = () => process.kill(1);'],
    [
      'as a parameter',
      'packages/hooks/src/a.ts',
      'export const f = (process: Child) => process.stdin.end();',
    ],
    [
      'as a variable',
      'packages/hooks/src/a.ts',
      'export function f() { const { process } = start(); return process.stdout; }',
    ],
  ])('is left alone %s', (_, file, text) => {
    expect(checkImports(repository({ ...manifests, [file]: text }))).toEqual([]);
  });
});
