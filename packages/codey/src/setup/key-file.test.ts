import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keyFile, readKeys, writeKey } from './key-file.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keys-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('a key is kept beside the others and everything else in the file, for its owner alone', async () => {
  mkdirSync(join(home, '.codey'));
  writeFileSync(keyFile(home), '{"A_KEY": "one", "note": [1]}', { mode: 0o644 });
  expect(await writeKey(home, 'B_KEY', 'two')).toBeUndefined();
  expect(await readKeys(home)).toEqual({ A_KEY: 'one', B_KEY: 'two' });
  expect(JSON.parse(readFileSync(keyFile(home), 'utf8'))).toMatchObject({ note: [1] });
  expect(statSync(keyFile(home)).mode & 0o777).toBe(0o600);
});

it('of wizards that are given their keys at the same moment every key is kept', async () => {
  const variables = ['A_KEY', 'B_KEY', 'C_KEY', 'D_KEY'];
  const problems = await Promise.all(variables.map((variable) => writeKey(home, variable, 'typed')));
  expect(problems).toEqual(variables.map(() => undefined));
  expect(Object.keys(await readKeys(home)).sort()).toEqual(variables);
  expect(readdirSync(dirname(keyFile(home)))).toEqual([basename(keyFile(home))]);
});

it('a file cut at any byte gives no key, is not written over, and shows none of itself', async () => {
  expect(await writeKey(home, 'A_KEY', 'sk-secret')).toBeUndefined();
  const whole = readFileSync(keyFile(home), 'utf8');
  await fc.assert(
    // Without the last newline it is still whole.
    fc.asyncProperty(fc.nat(whole.length - 2), async (length) => {
      const cut = whole.slice(0, length);
      writeFileSync(keyFile(home), cut);
      expect(await readKeys(home)).toEqual({});
      const problem = await writeKey(home, 'B_KEY', 'two');
      expect(problem).toContain(keyFile(home));
      expect(problem).not.toContain('sk-s');
      expect(readFileSync(keyFile(home), 'utf8')).toBe(cut);
    }),
    { numRuns: 40, examples: [[0], [1]] },
  );
});
