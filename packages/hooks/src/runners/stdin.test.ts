import { closeSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openInput } from './stdin.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stdin-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('lies in the first directory that takes it, without a name, to be read from its beginning', () => {
  const { stdio, release } = openInput('{"a": "ü"}\n', [join(folder, 'missing'), folder]);
  if (typeof stdio !== 'number') throw new TypeError('it lies nowhere');
  try {
    expect(readFileSync(stdio, 'utf8')).toBe('{"a": "ü"}\n');
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    release();
  }
  expect(() => closeSync(stdio)).toThrow('EBADF');
});

it('goes through a pipe where no directory takes it, and needs neither where there is none', () => {
  expect(openInput('x', [join(folder, 'missing')]).stdio).toBe('pipe');
  expect(openInput('', [folder]).stdio).toBe('ignore');
  expect(existsSync(folder)).toBe(true);
});
