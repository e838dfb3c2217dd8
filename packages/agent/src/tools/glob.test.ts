import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { compileFileGlob, compileGlob } from './glob.ts';

const paths = [
  'a.ts',
  'b.test.ts',
  '.env',
  'src/a.ts',
  'src/b.tsx',
  'src/deep/er/a.ts',
  'src/.hidden/a.ts',
  'docs/a b.md',
  'docs/[x].md',
  'docs/{y}.md',
  'a\nb.ts',
  'src/dir/😀.ts',
];

const globs = [
  '*',
  '*.ts',
  '**',
  '**/*.ts',
  'src/*',
  'src/**',
  'src/**/*.ts',
  'src/**/er/*.ts',
  '**/er/**',
  'src/*.{ts,tsx}',
  '{src,docs}/**',
  '{a,b.test}.ts',
  '{src/{deep,dir},docs}/**',
  '?.ts',
  '[ab].ts',
  '[a-c]*.ts',
  'docs/\\[x\\].md',
  'docs/\\{y\\}.md',
  'src/dir/?.ts',
  'nothing',
];

describe('compileGlob', () => {
  it.each(globs)('agrees with picomatch on %s', (glob) => {
    const ours = paths.filter(compileGlob(glob));
    const test = picomatch(glob, { dot: true, nonegate: true, noextglob: true });
    const theirs = paths.filter((path) => test(path));
    // picomatch takes an emoji for two characters and `*` for none of a line feed.
    const comparable = (path: string) => !/[\n😀]/u.test(path);
    expect(ours.filter(comparable)).toEqual(theirs.filter(comparable));
  });

  const rows: readonly (readonly [string, string, boolean])[] = [
    ['*.ts', 'a\nb.ts', true],
    ['src/dir/?.ts', 'src/dir/😀.ts', true],
    ['a**b', 'axxb', true],
    ['a**b', 'ax/xb', false],
    ['[', '[', true],
    ['[]]', ']', true],
    ['[a/b]', '/', false],
    ['[!a]x', '/x', false],
    ['{a', '{a', true],
    ['{a}', '{a}', true],
    ['a}', 'a}', true],
    ['a,b', 'a,b', true],
    ['{a,}b', 'b', true],
    ['a.ts', 'abts', false],
    ['(a|b)+', '(a|b)+', true],
    ['\\', '\\', true],
    ['[\\d]', 'd', true],
    ['[\\d]', '5', false],
    ['[.-0]', '/', false],
    ['[.-0]', '0', true],
    ['[a-]', '-', true],
    ['[!a].ts', 'b.ts', true],
    ['[!a].ts', 'a.ts', false],
    ['[^&&~]', 'x', true],
    ['[€-😀]', '😀', true],
  ];
  it.each(rows)('%j on %j is %s', (glob, path, expected) => {
    expect(compileGlob(glob)(path)).toBe(expected);
  });

  const bombs: readonly (readonly [string, string])[] = [
    ['*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b', 'a'.repeat(4_000)],
    ['**/**/**/**/**/**/**/**/x', 'a/'.repeat(2_000)],
    [`${'{a,'.repeat(50)}a${'}'.repeat(50)}*b`, 'a'.repeat(4_000)],
    ['{*a,*a}{*a,*a}{*a,*a}{*a,*a}{*a,*a}{*a,*a}b', 'a'.repeat(4_000)],
  ];
  it.each(bombs)('gets through %s', (glob, path) => {
    expect(compileGlob(glob)(path)).toBe(false);
  });

  it('refuses a pattern of any length', () => {
    expect(() => compileGlob('*'.repeat(1_001))).toThrow('longer than 1000 characters');
    expect(() => compileGlob('[z-a]')).toThrow('the range z-a is empty');
  });
});

describe('compileFileGlob', () => {
  it('finds a pattern without a slash at any depth', () => {
    expect(paths.filter(compileFileGlob('a.*'))).toEqual([
      'a.ts',
      'src/a.ts',
      'src/deep/er/a.ts',
      'src/.hidden/a.ts',
    ]);
    expect(paths.filter(compileFileGlob('src/a.*'))).toEqual(['src/a.ts']);
  });
});
