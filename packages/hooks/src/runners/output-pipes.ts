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
/** With fewer left the next ones are made: enough for sixteen processes to start meanwhile. */
const low = 32;
/** A `mkfifo` that takes longer is not worth waiting for. */
const makingMs = 2_000;

/** Where pipes may come from, in the order they are tried. */
export interface PipeSupplyOptions {
  /** Makes pipes that never have a name; tried first. */
  readonly forks?: ForkServer | undefined;
  /** The first in which pipes can be made is used: one in memory, else the one for temporary files, if not given. */
  readonly directories?: readonly string[];
  readonly platform?: NodeJS.Platform;
}

/** Descriptors are held, names are not: nothing stays in a directory, however the program ends, SIGKILL included. */
export function createPipeSupply({
  forks,
  directories = [memoryDirectory, tmpdir()],
  platform = process.platform,
}: PipeSupplyOptions = {}): PipeSupply {
  const held: number[] = [];
  const usable: ((count: number) => Promise<readonly number[]>)[] =
    platform !== 'linux'
      ? []
      : [
          ...(forks === undefined ? [] : [forks.makePipes]),
          ...directories.map((directory) => (count: number) => makePipes(directory, count)),
        ];
  let taken = false;
  let closed = false;
  let making: Promise<void> | undefined;

  const make = async (count: number): Promise<void> => {
    const [makeSome] = usable;
    if (makeSome !== undefined) {
      try {
        const made = await makeSome(count);
        held.push(...made);
        // One that has no descriptors left would be asked for ever.
        if (made.length < 2) usable.shift();
      } catch {
        usable.shift();
      }
    }
    making = undefined;
    if (closed) letGo();
  };

  const letGo = (): void => {
    for (const descriptor of held.splice(0)) closeSync(descriptor);
  };

  const takeNow = (): OutputPipes | undefined => {
    if (held.length < 2) return undefined;
    const [stdout = -1, stderr = -1] = held.splice(0, 2);
    // Behind this start, so that a later one need not wait.
    if (taken && held.length < low) making ??= make(batch);
    taken = true;
    return openToRead(stdout, stderr);
  };

  return {
    takeNow,
    idle: async () => making,
    close() {
      closed = true;
      usable.length = 0;
      letGo();
    },
    prepare(processes) {
      if (usable.length > 0 && held.length < low) making ??= make(Math.min(2 * processes, batch));
    },
    async take() {
      // oxlint-disable-next-line eslint/no-unmodified-loop-condition -- `make`, awaited in the loop, clears it.
      while (usable.length > 0 && held.length < 2) {
        making ??= make(taken ? batch : firstBatch);
        await making;
      }
      return takeNow();
    },
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
