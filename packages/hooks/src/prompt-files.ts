// The file system's short questions, answered at once: asked in the background each takes ten times as long.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import type * as promises from 'node:fs/promises';
import { readFile } from 'node:fs/promises';

/**
 * Functions of `node:fs/promises` with the same arguments, results and errors, for the few dozen looks of a start or a tool
 * call. A look takes microseconds, its way through Node's threads fifty and more. Not for walking through a tree:
 * nothing else runs meanwhile. A file that is read must be regular and small, anything else is read in the background.
 */
export const promptFiles = {
  lstat: promptly(lstatSync) as typeof promises.lstat,
  stat: promptly(statSync) as typeof promises.stat,
  realpath: promptly(realpathSync.native) as typeof promises.realpath,
  readlink: promptly(readlinkSync) as typeof promises.readlink,
  readdir: promptly(readdirSync) as typeof promises.readdir,
  readFile: promptly(readPromptly) as typeof promises.readFile,
};

/** Larger ones would be felt. */
const promptLimit = 256 * 1024;

/** The function of `node:fs/promises` that has this one for its synchronous form. */
export function promptly<Arguments extends readonly unknown[]>(
  call: (...given: Arguments) => unknown,
): (...given: Arguments) => Promise<unknown> {
  return async (...given) => call(...given);
}

type ReadArguments = Parameters<typeof promises.readFile>;

function readPromptly(...given: ReadArguments): unknown {
  const [path, options] = given;
  if (typeof path === 'string' && (typeof options !== 'object' || options === null)) {
    try {
      const read = readSmall(path, options);
      if (read !== undefined) return read;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
      // Such as one that another program has a lease on, which is worth waiting for. The rest fails again.
    }
  }
  return readFile(...given);
}

/** Undefined for what is no small regular file. */
function readSmall(path: string, encoding: BufferEncoding | null | undefined): Buffer | string | undefined {
  // A FIFO is not even opened: that would let its writer begin, and closing it again would be the writer's end.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return undefined;
  // It may have become one since, which would wait for its writer.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = fstatSync(descriptor);
    // The kernel's own files hold more than they say.
    const small = facts.isFile() && facts.size > 0 && facts.size <= promptLimit;
    return small ? readFileSync(descriptor, encoding) : undefined;
  } finally {
    closeSync(descriptor);
  }
}
