// Where pipes for what processes print come from: the fork server, a folder in which some wait, or a `mkfifo` of this program's own.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, constants, openSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { randomId } from '../random.ts';
import type { ForkServer } from './fork-server.ts';
import { memoryDirectory } from './memory-directory.ts';
import { createSparePipes, type SparePipes } from './spare-pipes.ts';

/** Gives descriptors for both ends of a pipe. */
export interface PipeSource {
  /** How many can be taken at once. */
  left(): number;
  /** With fewer left the next are made behind a start; `another` when it is not the first one. */
  low(another: boolean): number;
  take(count: number): readonly number[];
  /** Makes about so many; may reject. */
  make(count: number): Promise<void>;
  close(): void;
}

/** Where pipes may come from, in the order they are tried. */
export interface PipeSupplyOptions {
  /** Makes pipes that never have a name; tried first. */
  readonly forks?: ForkServer | undefined;
  /** A folder of the user's in which pipes wait from one program to the next, made if need be; tried next. */
  readonly spare?: string | undefined;
  /** The first in which pipes can be made is used: one in memory, else the one for temporary files, if not given. */
  readonly directories?: readonly string[];
  readonly platform?: NodeJS.Platform;
}

/** Made at once, since a program has to be started to make any: enough for thirty-two processes. */
export const batch = 64;
/** A `mkfifo` that takes longer is not worth waiting for. */
const makingMs = 2_000;

/** Those there can be here, in the order they are tried. */
export function pipeSources({
  forks,
  spare,
  directories = [memoryDirectory, tmpdir()],
  platform = process.platform,
}: PipeSupplyOptions): PipeSource[] {
  if (platform !== 'linux') return [];
  const sources = directories.map((directory) => holding((count) => makePipes(directory, count)));
  if (spare !== undefined) sources.unshift(waiting(createSparePipes(spare)));
  if (forks !== undefined) sources.unshift(holding(forks.makePipes));
  return sources;
}

/** Pipes that are this program's alone, open from when they are made. */
function holding(makeSome: (count: number) => Promise<readonly number[]>): PipeSource {
  const held: number[] = [];
  return {
    left: () => held.length,
    // Enough for sixteen processes to start meanwhile.
    low: (another) => (another ? 32 : 0),
    take: (count) => held.splice(0, count),
    async make(count) {
      held.push(...(await makeSome(count)));
    },
    close() {
      for (const descriptor of held.splice(0)) closeSync(descriptor);
    },
  };
}

/** Pipes that other programs use as well; what is left is for the next. */
function waiting({ left, take, fill }: SparePipes): PipeSource {
  return {
    left,
    low: () => 8,
    take,
    // Fewer are not made any faster.
    make: () => fill(batch),
    close() {},
  };
}

/** Who can open them is settled by their mode: others can neither remove nor rename what is ours in a sticky directory. */
async function makePipes(directory: string, count: number): Promise<readonly number[]> {
  const prefix = join(directory, `codey-pipes-${randomId()}-`);
  const names = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  const maker = spawn('/bin/sh', ['-c', makerScript, 'sh', ...names], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const deadline = setTimeout(() => killGroup(maker), makingMs);
  try {
    await made(maker);
    return names.map(openNameless);
  } catch (error) {
    for (const name of names) rmSync(name, { force: true });
    throw error;
  } finally {
    clearTimeout(deadline);
    // A maker that is gone already cannot read it.
    maker.stdin.on('error', () => {}).end('\n');
  }
}

/**
 * Makes pipes, says so, and waits to be told that they have lost their names. Nobody who listens, or an input that ends
 * without a line, means that the program is gone: then they are removed here.
 */
const makerScript = `trap '' PIPE; mkfifo -m 600 "$@" && echo && read -r _ || rm -f "$@"`;

/** Resolves when all are there; rejects when they cannot be made. */
function made(maker: ChildProcessByStdio<Writable, Readable, null>): Promise<void> {
  return new Promise((resolve, reject) => {
    maker.once('error', reject);
    maker.once('exit', () => reject(new Error('mkfifo failed')));
    maker.stdout.once('data', () => resolve());
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function openNameless(name: string): number {
  const descriptor = openSync(name, constants.O_RDWR | constants.O_NONBLOCK);
  unlinkSync(name);
  return descriptor;
}
