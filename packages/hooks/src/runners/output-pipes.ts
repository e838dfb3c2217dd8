// Real pipes for what a process prints. Node's own are sockets, which Linux does not let a program open by name: with
// them `echo why > /dev/stderr` and `tee /dev/stderr` fail in every hook.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, constants, openSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { randomId } from '../random.ts';
import type { ForkServer } from './fork-server.ts';
import { memoryDirectory } from './memory-directory.ts';
import { PipeReader } from './pipe-reader.ts';
import { createSparePipes, type SparePipes } from './spare-pipes.ts';

/** One pipe: our end to read, and a descriptor that a process opens anew to write. While we hold that, there is no end. */
export interface OutputPipe {
  readonly reader: PipeReader;
  readonly held: number;
}

/** stdout's pipe, then stderr's. */
export type OutputPipes = readonly [OutputPipe, OutputPipe];

/** Named pipes that the output of hooks is read from, made before they are needed. */
export interface PipeSupply {
  /** Makes the first ones now, for a program that will start about so many processes. */
  prepare(processes: number): void;
  /** Undefined where none are made yet. */
  takeNow(): OutputPipes | undefined;
  /** Undefined where there are no such pipes: then Node's own must do. Never rejects. */
  take(): Promise<OutputPipes | undefined>;
  /** Resolves when none are being made: from then on nothing of it is in the directory. */
  idle(): Promise<void>;
  /** Closes those that nobody took; from then on there are none. */
  close(): void;
}

/** Made at once, since a program has to be started to make any: enough for thirty-two processes. */
const batch = 64;
/** Where nobody said that more will be needed: a run may start a single process. */
const firstBatch = 4;
/** A `mkfifo` that takes longer is not worth waiting for. */
const makingMs = 2_000;

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

/** Descriptors are held, names are not: nothing stays in `directories`, however the program ends, SIGKILL included. */
export function createPipeSupply(options: PipeSupplyOptions = {}): PipeSupply {
  const sources = sourcesFrom(options);
  let taken = false;
  let making: Promise<void> | undefined;

  const make = async (source: PipeSource, count: number): Promise<void> => {
    try {
      await source.make(count);
    } catch {
      // Seen by its having none.
    }
    making = undefined;
    // One that has no descriptors left would be asked for ever.
    if (source.left() < 2 && sources[0] === source) sources.shift();
    if (!sources.includes(source)) source.close();
  };

  const takeNow = (): OutputPipes | undefined => {
    const [source] = sources;
    if (source === undefined) return undefined;
    const [stdout, stderr] = source.take(2);
    if (stdout === undefined) return undefined;
    if (stderr === undefined) {
      closeSync(stdout);
      return undefined;
    }
    // Behind this start, so that a later one need not wait.
    if (source.left() < source.low(taken)) making ??= make(source, batch);
    taken = true;
    return openToRead(stdout, stderr);
  };

  return {
    takeNow,
    idle: async () => making,
    close() {
      for (const source of sources.splice(0)) source.close();
    },
    prepare(processes) {
      const [source] = sources;
      const count = Math.min(2 * processes, batch);
      if (source !== undefined && source.left() < Math.min(count, source.low(true)))
        making ??= make(source, count);
    },
    async take() {
      for (;;) {
        const pipes = takeNow();
        const [source] = sources;
        if (pipes !== undefined || source === undefined || source.left() >= 2) return pipes;
        making ??= make(source, taken ? batch : firstBatch);
        await making;
      }
    },
  };
}

/** Gives descriptors for both ends of a pipe. */
interface PipeSource {
  /** How many can be taken at once. */
  left(): number;
  /** With fewer left the next are made behind a start; `another` when it is not the first one. */
  low(another: boolean): number;
  take(count: number): readonly number[];
  /** Makes about so many; may reject. */
  make(count: number): Promise<void>;
  close(): void;
}

function sourcesFrom({
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

/** For pipes that no process got. */
export function discardPipes(pipes: OutputPipes | undefined): void {
  for (const pipe of pipes ?? []) {
    closeSync(pipe.held);
    pipe.reader.destroy();
  }
}

/** Another descriptor, which a process may inherit. Throws where none is left. */
export function openToWrite({ held }: OutputPipe): number {
  return openSync(nameOf(held), constants.O_WRONLY);
}

/** From now on only the process that got them writes to them. */
export function handOver(pipes: OutputPipes): void {
  for (const { held } of pipes) closeSync(held);
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

/** Undefined where no descriptor is left. */
function openToRead(stdout: number, stderr: number): OutputPipes | undefined {
  const first = readerOf(stdout);
  const second = first && readerOf(stderr);
  if (first !== undefined && second !== undefined) {
    return [
      { reader: first, held: stdout },
      { reader: second, held: stderr },
    ];
  }
  first?.destroy();
  closeSync(stdout);
  closeSync(stderr);
  return undefined;
}

function readerOf(held: number): PipeReader | undefined {
  try {
    return new PipeReader(openSync(nameOf(held), constants.O_RDONLY | constants.O_NONBLOCK));
  } catch {
    return undefined;
  }
}

function nameOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}
