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
  readSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { randomId } from '../random.ts';

/** The pipes of a folder: any program of the user may take any of them, and each goes to one. */
export interface SparePipes {
  /** Descriptors for both ends of so many, as far as there are any; they have no name any more. */
  take(count: number): readonly number[];
  /** How many lie there, as far as is known. */
  left(): number;
  /** Sees to it that there are so many. Rejects where that cannot be done. */
  fill(count: number): Promise<void>;
}

/** A `mkfifo` that takes longer is not worth waiting for. */
const makingMs = 2_000;

/**
 * A folder that others can write to, or that is not the user's, is left alone: it has none and gets none. A pipe that anybody
 * has open already is not used: that program could read what is printed, print as well, or keep it from ending.
 */
export function createSparePipes(folder: string): SparePipes {
  let names: string[] | undefined;
  const tried = new Set<string>();
  let fruitless = 0;

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
        tried.add(name);
        const descriptor = takePipe(join(folder, name));
        if (descriptor !== undefined) taken.push(descriptor);
      }
      fruitless = taken.length > 0 ? 0 : fruitless + 1;
      return taken;
    },
    async fill(count) {
      // A run asks twice before there are any. More often is when not even new ones can be taken, and would go on for ever.
      if (fruitless > 2) throw new Error(`no pipe in ${folder} can be taken`);
      if (!leadsOnlyThroughOwn(folder)) throw new Error(`${folder} is below somebody else's folder`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (!isOwn(folder)) throw new Error(`${folder} can be written to by others`);
      // Other programs fill it as well. What could not be taken stays so.
      names = namesIn(folder).filter((name) => !tried.has(name));
      const missing = count - names.length;
      if (missing <= 0) return;
      const batch = randomId();
      const added = Array.from({ length: missing }, (_, index) => `${batch}-${index}`);
      const paths = added.map((name) => join(folder, name));
      try {
        await makePipes(paths);
      } catch (error) {
        // A disk that is full should not be kept so.
        for (const path of paths) rmSync(path, { force: true });
        throw error;
      }
      names.push(...added);
    },
  };
}

/** Without those that NFS keeps for somebody who has them open still: their names begin with a dot. */
function namesIn(folder: string): string[] {
  try {
    if (!isOwn(folder)) return [];
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFIFO() && !entry.name.startsWith('.')).map(({ name }) => name);
  } catch {
    // Below a file, or where it may not look.
    return [];
  }
}

function isOwn(folder: string): boolean {
  const facts = lstatSync(folder, { throwIfNoEntry: false });
  return facts?.isDirectory() === true && facts.uid === process.geteuid?.() && (facts.mode & 0o022) === 0;
}

/** Whether the first folder that exists is the user's: root with another's HOME would make some there that the other cannot use. */
function leadsOnlyThroughOwn(folder: string): boolean {
  const facts = lstatSync(folder, { throwIfNoEntry: false });
  if (facts !== undefined) return facts.uid === process.geteuid?.();
  const above = dirname(folder);
  return above !== folder && leadsOnlyThroughOwn(above);
}

/** Linux's, which Node does not name: opens a name, but neither end of the pipe that has it. */
const O_PATH = 0o10000000;

/** Undefined where somebody else was first or has it open, or where the name is not one of our pipes'. */
function takePipe(path: string): number | undefined {
  let found: number | undefined;
  try {
    found = openSync(path, O_PATH | constants.O_NOFOLLOW);
    const facts = fstatSync(found);
    if (!facts.isFIFO() || facts.uid !== process.geteuid?.() || (facts.mode & 0o077) !== 0) return undefined;
    // Only one program can take the name away: the pipe is that one's, and nobody opens it from now on.
    unlinkSync(path);
    return openUnheld(`/proc/self/fd/${found}`);
  } catch {
    return undefined;
  } finally {
    if (found !== undefined) closeSync(found);
  }
}

function openUnheld(pipe: string): number | undefined {
  const isHeld = hasReader(pipe) || hasWriter(pipe);
  return isHeld ? undefined : openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
}

function hasReader(pipe: string): boolean {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return false;
    throw error;
  }
}

function hasWriter(pipe: string): boolean {
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return readSync(reader, Buffer.alloc(1)) > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return true;
    throw error;
  } finally {
    closeSync(reader);
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
