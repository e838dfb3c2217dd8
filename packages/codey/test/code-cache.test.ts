// The program out of its code cache, out of a damaged one and out of none.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const program = fileURLToPath(new URL('..', import.meta.url));
const { cacheName, cachedCompiler } = createRequire(import.meta.url)(
  '../bin/load.js',
) as typeof import('../bin/load.js');

let copy: string;
beforeEach(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'codey-cache-'));
  cpSync(path.join(program, 'bin'), path.join(copy, 'bin'), { recursive: true });
  cpSync(path.join(program, 'package.json'), path.join(copy, 'package.json'));
  mkdirSync(path.join(copy, 'dist/cache'), { recursive: true });
  cpSync(path.join(program, 'dist/main.cjs'), path.join(copy, 'dist/main.cjs'));
  symlinkSync(path.join(program, 'dist/chunks'), path.join(copy, 'dist/chunks'));
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

function help() {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(copy, 'bin/codey.js'), '--help'],
    {
      env: { PATH: process.env.PATH, HOME: copy },
      encoding: 'utf8',
    },
  );
  return { status, stderr, works: stdout.includes('codey') && stdout.includes('--model') };
}

const fine = { status: 0, stderr: '', works: true };
const built = path.join(program, 'dist/cache', cacheName());

it('is taken by the Node that built it', () => {
  const compile = cachedCompiler(path.join(program, 'dist/cache'));
  const chunks = readdirSync(path.join(program, 'dist/chunks')).filter((name) =>
    readdirSync(built).includes(name),
  );
  expect(chunks.length).toBeGreaterThan(10);
  for (const name of chunks)
    expect(compile(path.join(program, 'dist/chunks', name)).cachedDataRejected, name).toBe(false);
});

it.each<readonly [string, (data: Buffer) => Buffer]>([
  ['cut in half', (data) => data.subarray(0, data.length >> 1)],
  ['empty', () => Buffer.alloc(0)],
  ['of another program', () => Buffer.from('#!/bin/sh\n')],
])('is no loss when its files are %s', (_, damage) => {
  const folder = path.join(copy, 'dist/cache', cacheName());
  mkdirSync(folder);
  for (const name of readdirSync(built))
    writeFileSync(path.join(folder, name), damage(readFileSync(path.join(built, name))));
  expect(help()).toStrictEqual(fine);
});

it('is neither needed nor made where there is none', () => {
  expect(help()).toStrictEqual(fine);
  expect(readdirSync(path.join(copy, 'dist/cache'))).toStrictEqual([]);
});
