// Pipes that wait in a folder from one program to the next: each goes to one program, and what else lies there stays.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPipeSupply, discardPipes } from '../src/runners/output-pipes.ts';
import { createSparePipes } from '../src/runners/spare-pipes.ts';
import { buildProgram } from './fixtures/build-program.ts';

const isRoot = process.getuid?.() === 0;
/** Somebody else than whoever runs the tests. */
const stranger = 12_345;

const programs = mkdtempSync(join(tmpdir(), 'spare-programs-'));
let taker = '';
let filler = '';
beforeAll(async () => {
  taker = await buildProgram('spare-taker', programs);
  filler = await buildProgram('hasty-filler', programs);
});
afterAll(() => rmSync(programs, { recursive: true, force: true }));

let above: string;
let folder: string;
let opened: number[];
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'spare-pipes-'));
  folder = join(above, 'pipes');
  opened = [];
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const descriptor of opened) closeSync(descriptor);
  removeGrowing(above);
});

/** A maker whose program was killed may be adding to it; it fails once the folder is gone. */
function removeGrowing(path: string): void {
  for (;;) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}

function take(count: number, pipes = createSparePipes(folder)): readonly number[] {
  const taken = pipes.take(count);
  opened.push(...taken);
  return taken;
}

/** A pipe of this name, with this mode, that nobody made for others to take. */
function makePipe(name: string, mode = '600'): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  execFileSync('mkfifo', ['-m', mode, join(folder, name)]);
  return join(folder, name);
}

function makeFolder(mode: number): string {
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

/** Has this run instead of `mkfifo`, with the names of the pipes. */
function standIn(line: string): void {
  const bin = join(above, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\nPATH=\${PATH#*:}; shift 2; ${line}\n`;
  writeFileSync(join(bin, 'mkfifo'), script, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
}

function hold(path: string, flags: number): void {
  opened.push(openSync(path, flags | constants.O_NONBLOCK));
}

describe.runIf(process.platform === 'linux')('spare pipes', () => {
  it('that one program left are taken by the next, and lose their names', async () => {
    await createSparePipes(folder).fill(4);
    expect(readdirSync(folder)).toHaveLength(4);
    const taken = take(3);
    expect(taken.map((descriptor) => fstatSync(descriptor).isFIFO())).toEqual([true, true, true]);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(take(3)).toHaveLength(1);
    expect(take(1)).toEqual([]);
  });

  it('go each to one of the programs that take them at once', async () => {
    await createSparePipes(folder).fill(64);
    const inodes = readdirSync(folder).map((name) => statSync(join(folder, name)).ino);
    const takers = Array.from({ length: 6 }, () => {
      const child = spawn(process.execPath, [taker, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
      let said = '';
      const ready = once(child.stdout.setEncoding('utf8'), 'data');
      child.stdout.on('data', (text: string) => {
        said += text;
      });
      return { child, ready, ended: once(child, 'close'), said: () => said };
    });
    await Promise.all(takers.map(({ ready }) => ready));
    for (const { child } of takers) child.stdin.end();
    await Promise.all(takers.map(({ ended }) => ended));
    const taken = takers.flatMap(({ said }) => said().split('\n').slice(1, -1).map(Number));
    expect(taken.toSorted((one, other) => one - other)).toEqual(inodes.toSorted((one, other) => one - other));
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['read', constants.O_RDONLY],
    ['write', constants.O_RDWR],
  ])('that somebody has open to %s are not used', (_, flags) => {
    hold(makePipe('held'), flags);
    makePipe('free');
    expect(take(2)).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that somebody writes to alone are not used', () => {
    const path = makePipe('held');
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    hold(path, constants.O_WRONLY);
    closeSync(reader);
    expect(take(1)).toEqual([]);
  });

  it('are no links, files, sockets or folders, nor pipes that others may open: those stay as they are', async () => {
    symlinkSync(makePipe('../elsewhere'), join(folder, 'link'));
    writeFileSync(join(folder, 'file'), 'content');
    mkdirSync(join(folder, 'folder'));
    makePipe('for-others', '644');
    makePipe('.nfs0001');
    if (isRoot) chownSync(makePipe('foreign'), stranger, stranger);
    const server = createServer().listen(join(folder, 'socket'));
    await once(server, 'listening');
    try {
      const before = readdirSync(folder);
      expect(take(before.length)).toEqual([]);
      expect(readdirSync(folder)).toEqual(before);
    } finally {
      server.close();
    }
  });

  it('are made beside what cannot be taken, which is tried once', async () => {
    for (const name of ['a', 'b', 'c']) makePipe(name, '644');
    const supply = createPipeSupply({ spare: folder, directories: [] });
    discardPipes(await supply.take());
    await supply.idle();
    expect(readdirSync(folder)).toHaveLength(64 - 2 + 3);
    expect(['a', 'b', 'c'].every((name) => existsSync(join(folder, name)))).toBe(true);
  });

  it('are given up where not even new ones can be taken', async () => {
    standIn('exec mkfifo -m 644 "$@"');
    expect(await createPipeSupply({ spare: folder, directories: [] }).take()).toBeUndefined();
    expect(readdirSync(folder).length).toBeLessThan(200);
  });

  it('do not stay where there is no room for all of them', async () => {
    standIn('mkfifo -m 600 "$1" "$2"; exit 1');
    await expect(createSparePipes(folder).fill(4)).rejects.toThrow('mkfifo failed');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are not made again where another program has made some meanwhile', async () => {
    const pipes = createSparePipes(folder);
    expect(pipes.left()).toBe(0);
    await createSparePipes(folder).fill(8);
    await pipes.fill(8);
    expect(readdirSync(folder)).toHaveLength(8);
    expect(take(8, pipes)).toHaveLength(8);
  });

  it.each([
    ['that others may write to', () => makeFolder(0o777)],
    ['that its group may write to', () => makeFolder(0o770)],
    ['that is a link', () => symlinkSync(mkdtempSync(join(above, 'real-')), folder)],
    ['that is a file', () => writeFileSync(folder, '')],
    ...(isRoot
      ? [
          ['of somebody else', () => chownSync(makeFolder(0o700), stranger, stranger)] as const,
          ['below somebody else’s', () => chownSync(above, stranger, stranger)] as const,
        ]
      : []),
  ] as const)('are neither put into a folder %s nor taken from it', async (_, arrange) => {
    arrange();
    const isFolder = existsSync(folder) && statSync(folder).isDirectory();
    if (isFolder) makePipe('waiting');
    expect(take(1)).toEqual([]);
    await expect(createSparePipes(folder).fill(4)).rejects.toThrow(/by others|somebody else|EEXIST/);
    expect(isFolder ? readdirSync(folder) : []).toEqual(isFolder ? ['waiting'] : []);

    const place = join(above, 'place');
    mkdirSync(place);
    const others = await createPipeSupply({ spare: folder, directories: [place] }).take();
    expect(others).toHaveLength(2);
    discardPipes(others);
    await expect.poll(() => readdirSync(place)).toEqual([]);
  });

  it('are all that a program leaves that is killed meanwhile', async () => {
    for (const delay of ['0', '1', '3', '6', '10', '15', '25']) {
      spawnSync(process.execPath, [filler, folder, delay]);
      const names = existsSync(folder) ? readdirSync(folder) : [];
      // A maker that goes on may add to them.
      expect(names.filter((name) => !lstatSync(join(folder, name)).isFIFO())).toEqual([]);
    }
    await createSparePipes(folder).fill(2);
    expect(take(2)).toHaveLength(2);
  });

  it('belong to the user alone whatever the umask is, with the folders that are made for them', () => {
    folder = join(above, 'cache/pipes');
    spawnSync('/bin/sh', ['-c', 'umask 000; exec "$0" "$@"', process.execPath, filler, folder]);
    expect([join(above, 'cache'), folder].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    const [name = ''] = readdirSync(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });
});
