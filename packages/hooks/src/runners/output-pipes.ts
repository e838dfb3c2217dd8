// Real pipes for what a process prints. Node's own are sockets, which Linux does not let a program open by name: with
// them `echo why > /dev/stderr` and `tee /dev/stderr` fail in every hook.
import { spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';

/** One pipe: our end to read, and the descriptor a process gets. */
export interface OutputPipe {
  readonly readable: Socket;
  readonly writeEnd: number;
}

/** stdout's pipe, then stderr's. */
export type OutputPipes = readonly [OutputPipe, OutputPipe];

/** Named pipes that the output of hooks is read from, made before they are needed. */
export interface PipeSupply {
  /** Makes the first ones now, for a program that will start about so many processes. */
  prepare(processes: number): void;
  /** Undefined where there are no such pipes: then Node's own must do. Never rejects. */
  take(): Promise<OutputPipes | undefined>;
  /** Resolves when none are being made: from then on nothing of it is in the directory. */
  idle(): Promise<void>;
}

/** Made at once, since a program has to be started to make any: enough for thirty-two processes. */
const batch = 64;
/** Where nobody said that more will be needed: a run may start a single process. */
const firstBatch = 4;
/** With fewer left the next ones are made. */
const low = 8;
/** A `mkfifo` that takes longer is not worth waiting for. */
const makingMs = 2_000;

/** Descriptors are held, names are not: nothing is left in `directory`, however the program ends. */
export function createPipeSupply(
  directory: string,
  platform: NodeJS.Platform = process.platform,
): PipeSupply {
  const held: number[] = [];
  let taken = false;
  let making: Promise<void> | undefined;
  let available = platform === 'linux';

  const make = async (count: number): Promise<void> => {
    try {
      held.push(...(await makePipes(directory, count)));
    } catch {
      available = false;
    }
    making = undefined;
  };

  return {
    idle: async () => making,
    prepare(processes) {
      if (available && held.length < low) making ??= make(Math.min(2 * processes, batch));
    },
    async take() {
      // oxlint-disable-next-line eslint/no-unmodified-loop-condition -- `make`, awaited in the loop, clears it.
      while (available && held.length < 2) {
        making ??= make(taken ? batch : firstBatch);
        await making;
      }
      const [stdout, stderr] = held.splice(0, 2);
      // Behind this start, so that a later one need not wait.
      if (available && taken && held.length < low) making ??= make(batch);
      taken = true;
      if (stdout === undefined || stderr === undefined) return undefined;
      try {
        return [openEnds(stdout), openEnds(stderr)];
      } catch {
        return undefined;
      } finally {
        closeSync(stdout);
        closeSync(stderr);
      }
    },
  };
}

/** For pipes that no process got. */
export function discardPipes(pipes: OutputPipes | undefined): void {
  for (const pipe of pipes ?? []) {
    closeSync(pipe.writeEnd);
    pipe.readable.destroy();
  }
}

/** Who can open them is settled by the folder, which is the user's alone. */
async function makePipes(directory: string, count: number): Promise<readonly number[]> {
  const folder = mkdtempSync(join(directory, 'codey-pipes-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // A program that is told to leave at once does not wait for what is made behind its back.
  process.once('exit', remove);
  try {
    const names = Array.from({ length: count }, (_, index) => join(folder, String(index)));
    await run('mkfifo', names);
    return names.map(openNameless);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Rejects when it cannot be started, fails or takes too long. Does not outlive the program. */
function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore', timeout: makingMs });
  const end = (): void => void child.kill('SIGKILL');
  process.prependOnceListener('exit', end);
  return new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} failed`))));
  }).finally(() => process.off('exit', end));
}

function openNameless(name: string): number {
  const descriptor = openSync(name, constants.O_RDWR | constants.O_NONBLOCK);
  unlinkSync(name);
  return descriptor;
}

/** The held descriptor both reads and writes; a reader sees the end only when nobody writes, so it must go. */
function openEnds(held: number): OutputPipe {
  const name = `/proc/self/fd/${held}`;
  const readEnd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const writeEnd = openSync(name, constants.O_WRONLY);
    return { readable: new Socket({ fd: readEnd, readable: true, writable: false }), writeEnd };
  } catch (error) {
    closeSync(readEnd);
    throw error;
  }
}
