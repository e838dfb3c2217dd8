import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { pruneStale, putFile } from './place-files.mjs';

const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
const dayAgo = Date.now() - 24 * 60 * 60 * 1000;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'place-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

it('puts a file into folders that do not exist yet and leaves no temporary one', () => {
  putFile(join(folder, 'a/b.js'), Buffer.from('one'));
  putFile(join(folder, 'a/b.js'), Buffer.from('two'));
  expect(readFileSync(join(folder, 'a/b.js'), 'utf8')).toBe('two');
  expect(readdirSync(join(folder, 'a'))).toEqual(['b.js']);
});

it('replaces a file by another one, so that a reader of the old one keeps it whole', () => {
  const path = join(folder, 'main.js');
  putFile(path, Buffer.from('one'));
  const before = statSync(path).ino;
  putFile(path, Buffer.from('two'));
  expect(statSync(path).ino).not.toBe(before);
});

it('keeps an unchanged file and marks it as in use', () => {
  const path = join(folder, 'chunk.js');
  putFile(path, Buffer.from('same'));
  utimesSync(path, yesterday, yesterday);
  const before = statSync(path).ino;
  putFile(path, Buffer.from('same'));
  expect(statSync(path).ino).toBe(before);
  expect(statSync(path).mtimeMs).toBeGreaterThan(dayAgo);
});

it('removes only what is old and no longer part of the program', () => {
  for (const name of ['current-old', 'left-new', 'left-old']) writeFileSync(join(folder, name), name);
  for (const name of ['current-old', 'left-old']) utimesSync(join(folder, name), yesterday, yesterday);
  pruneStale(folder, new Set([join(folder, 'current-old')]), dayAgo);
  expect(readdirSync(folder)).toEqual(['current-old', 'left-new']);
});

it('has nothing to remove from a folder that does not exist', () => {
  expect(() => pruneStale(join(folder, 'none'), new Set(), dayAgo)).not.toThrow();
});
