// Named pipes that wait in a folder for whatever program of the user starts next: to make some takes a process.
import { spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomId } from '../random.ts';

/** A folder's pipes. Its name is all they have in common: any program may take any of them, each goes to one. */
export interface SparePipes {
  /** Descriptors for both ends of so many, as far as there are any; they have no name any more. */
  take(count: number): readonly number[];
  /** How many lie there, as far as is known. */
  left(): number;
  /** Puts so many more there. Rejects where that cannot be done. */
  add(count: number): Promise<void>;
}

/** A `mkfifo` that takes longer is not worth waiting for. */
const makingMs = 2_000;

/** A folder that others can write to, or that is not the user's, is left alone: it has none and gets none. */
export function createSparePipes(folder: string): SparePipes {
  let names: string[] | undefined;

  const known = (): string[] => {
    names ??= namesIn(folder);
    return names;
  };

  return {
    left: () => known().length,
    take(count) {
      const taken: number[] = [];
      while (taken.length < count) {
        const name = known().pop();
        if (name === undefined) break;
        const descriptor = takePipe(join(folder, name));
        if (descriptor !== undefined) taken.push(descriptor);
      }
      return taken;
    },
    async add(count) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (!isOwn(folder)) throw new Error(`${folder} can be written to by others`);
      const batch = randomId();
      const added = Array.from({ length: count }, (_, index) => `${batch}-${index}`);
      await makePipes(added.map((name) => join(folder, name)));
      // Others that came meanwhile are found by the next program.
      known().push(...added);
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return isOwn(folder) ? readdirSync(folder) : [];
  } catch {
    // Below a file, or where it may not look.
    return [];
  }
}

function isOwn(folder: string): boolean {
  const facts = lstatSync(folder, { throwIfNoEntry: false });
  return facts?.isDirectory() === true && facts.uid === process.geteuid?.() && (facts.mode & 0o022) === 0;
}

/** Undefined where somebody else was first, or where the name is not a pipe's. */
function takePipe(path: string): number | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    if (!fstatSync(descriptor).isFIFO()) throw new Error('not a pipe');
    // Only one program can take the name away: the pipe is that one's.
    unlinkSync(path);
    return descriptor;
  } catch {
    if (descriptor !== undefined) closeSync(descriptor);
    return undefined;
  }
}

function makePipes(paths: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const maker = spawn('/bin/sh', ['-c', 'exec mkfifo -m 600 "$@"', 'sh', ...paths], {
      stdio: 'ignore',
      timeout: makingMs,
      killSignal: 'SIGKILL',
    });
    maker.once('error', reject);
    maker.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error('mkfifo failed'));
    });
  });
}
