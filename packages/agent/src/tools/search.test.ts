import { mkdir, symlink, truncate, utimes } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { globSearch } from './glob-search.ts';
import { grepSearch } from './grep-search.ts';
import { listDirectory } from './list-directory.ts';
import { outputCap } from './output.ts';
import type { Tool } from './tool.ts';
import { createToolWorld, type ToolWorld } from './tool-world.ts';

let world: ToolWorld;
beforeEach(async () => {
  world = await createToolWorld();
});
afterEach(() => world.dispose());

async function call(tool: Tool, input: unknown, changes = {}): Promise<string> {
  const result = await world.call(tool, input, changes);
  return result.kind === 'ok' ? result.output : `${result.error}: ${result.output}`;
}

describe('list_directory', () => {
  it('lists everything by name with what it is', async () => {
    await world.files({ b: 'x', '.hidden': '', 'a/f': '', 'line\nfeed': 'x'.repeat(1_500) });
    await symlink('nowhere', world.path('l'));
    expect(await call(listDirectory, {})).toBe(
      ['.hidden (0 bytes)', 'a/', 'b (1 byte)', 'l -> nowhere', '"line\\nfeed" (1.5 kB)'].join('\n'),
    );
  });

  it('cuts a directory of a thousand entries', async () => {
    await world.files(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, ''])));
    const lines = (await call(listDirectory, { path: '.' })).split('\n');
    expect(lines).toHaveLength(501);
    expect(lines.at(-1)).toBe('[500 more entries; find them with glob_search.]');
  });

  it('refuses files and what is not there', async () => {
    await world.files({ 'src/f': '' });
    await mkdir(world.path('empty'));
    expect(await call(listDirectory, { path: 'empty' })).toBe('[empty is empty.]');
    expect(await call(listDirectory, { path: 'src/f' })).toBe(
      'failed: src/f is not a directory; read_file shows a file.',
    );
    expect(await call(listDirectory, { path: 'scr' })).toBe(
      `failed: scr does not exist. Did you mean ${world.path('src')}?`,
    );
  });
});

describe('glob_search', () => {
  it('finds files, newest first, relative to the current directory', async () => {
    await world.files({ 'src/old.ts': '', 'src/a/new.ts': '', 'b.js': '', 'middle.ts': '' });
    await utimes(world.path('src/old.ts'), 1_000, 1_000);
    await utimes(world.path('middle.ts'), 2_000, 2_000);
    await utimes(world.path('src/a/new.ts'), 3_000, 3_000);
    expect(await call(globSearch, { pattern: '*.ts' })).toBe('src/a/new.ts\nmiddle.ts\nsrc/old.ts');
    expect(await call(globSearch, { pattern: 'src/**/*.ts' })).toBe('src/a/new.ts\nsrc/old.ts');
    expect(await call(globSearch, { pattern: './a/*', path: 'src' })).toBe('src/a/new.ts');
    const below = { cwd: world.path('src/a') };
    expect(await call(globSearch, { pattern: 'm*.ts', path: '../..' }, below)).toBe(world.path('middle.ts'));
  });

  it('shows 200 at most and says how many there are', async () => {
    await world.files(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`d/${index}.x`, ''])));
    const lines = (await call(globSearch, { pattern: '*.x' })).split('\n');
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toBe('[300 files match, the newest 200 shown.]');
  });

  it('explains what it cannot do', async () => {
    await world.files({ f: '' });
    expect(await call(globSearch, { pattern: '*.none' })).toBe('[No file matches.]');
    expect(await call(globSearch, { pattern: '/etc/*.conf' })).toMatch(
      /^failed: The pattern is relative to path .* "\*\.conf" as pattern\.$/,
    );
    expect(await call(globSearch, { pattern: '../*' })).toMatch(/^failed: The pattern is relative/);
    expect(await call(globSearch, { pattern: '*', path: 'f' })).toMatch(/^failed: f is a file;/);
    expect(await call(globSearch, { pattern: '*', path: 'g' })).toMatch(/^failed: g does not exist\./);
    expect(await call(globSearch, { pattern: '[z-a]' })).toMatch(/^failed: The pattern cannot be used/);
  });
});

describe('grep_search', () => {
  it('finds lines in files of a directory, or of one file', async () => {
    await world.files({
      'a.ts': 'one\ntwo\n',
      'src/b.ts': 'Two\r\n',
      'src/c.md': 'two',
      '.gitignore': 'ignored',
    });
    expect(await call(grepSearch, { pattern: 'tw.' })).toBe('a.ts:2: two\nsrc/c.md:1: two');
    expect(await call(grepSearch, { pattern: 'two', ignore_case: true, glob: '*.ts' })).toBe(
      'a.ts:2: two\nsrc/b.ts:1: Two',
    );
    expect(await call(grepSearch, { pattern: '^t', path: 'a.ts' })).toBe('a.ts:2: two');
    expect(await call(grepSearch, { pattern: 'two', glob: 'src/**' })).toBe('src/c.md:1: two');
    expect(await call(grepSearch, { pattern: 'three' })).toBe('[No line matches.]');
  });

  it('passes over what rules guard, and says so', async () => {
    await world.files({ 'a.ts': 'two', 'secrets/b.ts': 'two' });
    const refusal = ({ names }: { names: readonly string[] }) =>
      names.includes(world.path('secrets/b.ts')) ? 'denied by a rule' : undefined;
    const left = '[1 file left out: rules keep this tool from them.]';
    expect(await call(grepSearch, { pattern: 'two' }, { refusal })).toBe(`a.ts:1: two\n${left}`);
    expect(await call(globSearch, { pattern: '**/*.ts' }, { refusal })).toBe(`a.ts\n${left}`);
  });

  it('shows the lines around, each once', async () => {
    await world.files({ f: 'a\nb\nX\nd\nX\nf\ng\nh\ni\nX\n' });
    expect(await call(grepSearch, { pattern: 'X', context: 1 })).toBe(
      ['f-2- b', 'f:3: X', 'f-4- d', 'f:5: X', 'f-6- f', '--', 'f-9- i', 'f:10: X'].join('\n'),
    );
  });

  it('shows the lines around a match where two reads meet', async () => {
    const line = 'x'.repeat(99);
    const lines = Array.from({ length: 6_000 }, (_, index) => (index === 2_621 ? 'HIT' : line));
    await world.files({ f: lines.join('\n') });
    expect(await call(grepSearch, { pattern: 'HIT', context: 2 })).toBe(
      [`f-2620- ${line}`, `f-2621- ${line}`, 'f:2622: HIT', `f-2623- ${line}`, `f-2624- ${line}`].join('\n'),
    );
  });

  it('passes over binary files, links and what is not a file', async () => {
    await world.files({ binary: Buffer.from('two\0'), text: 'two' });
    await symlink('text', world.path('link'));
    expect(await call(grepSearch, { pattern: 'two' })).toBe('text:1: two');
  });

  it('stops at 200 lines and at the size of a result', async () => {
    await world.files({ many: 'x\n'.repeat(1_000) });
    const many = (await call(grepSearch, { pattern: 'x' })).split('\n');
    expect(many).toHaveLength(201);
    expect(many.at(-1)).toBe('[There are more matches than the 200 lines shown; narrow the search.]');
    await world.files({ many: `${'x'.repeat(10_000)}\n`.repeat(1_000) });
    const long = await call(grepSearch, { pattern: 'x' });
    expect(long.length).toBeLessThan(outputCap + 200);
    expect(long).toMatch(/narrow the search\.\]$/);
  });

  it('gets through a line of 100 megabytes and a sparse file of two gigabytes', async () => {
    await world.files({ 'bundle.js': `${'a'.repeat(100_000_000)}\nneedle\n`, sparse: 'needle\n' });
    await truncate(world.path('sparse'), 2 ** 31);
    expect(await call(grepSearch, { pattern: 'needle' })).toBe('bundle.js:2: needle');
  });

  it('gets through patterns made to take forever', async () => {
    await world.files({ f: `${'a'.repeat(30_000)}b` });
    expect(await call(grepSearch, { pattern: '(a+)+$' })).toBe('[No line matches.]');
    expect(await call(grepSearch, { pattern: '(?=a)(a+)+$' })).toMatch(/^failed: The pattern takes too long/);
    expect(await call(grepSearch, { pattern: '(((a{100}){100}){100}){100}' })).toMatch(
      /^failed: |^\[No line/,
    );
  });

  it('takes lookaround and backreferences, and explains a pattern that does not compile', async () => {
    await world.files({ f: 'abab\nabcd\n' });
    expect(await call(grepSearch, { pattern: '^(ab)\\1$' })).toBe('f:1: abab');
    expect(await call(grepSearch, { pattern: 'ab(?!ab|$)' })).toBe('f:2: abcd');
    expect(await call(grepSearch, { pattern: 'f(' })).toMatch(
      /^failed: The pattern does not compile: .*backslash\.$/,
    );
  });

  it('ends when it is cancelled', async () => {
    await world.files({ f: 'x' });
    expect(await call(grepSearch, { pattern: 'x' }, { signal: AbortSignal.abort() })).toBe(
      'cancelled: The search was cancelled.',
    );
  });
});
