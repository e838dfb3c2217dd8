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
import { constants as systemConstants } from 'node:os';

/**
 * Functions of `node:fs/promises` with the same arguments, results and errors, for the few dozen looks of a start or a tool
 * call. A look takes microseconds, its way through Node's threads fifty and more. Not for walking through a tree:
 * nothing else runs meanwhile. A file that is read must be regular and small, anything else is read in the background.
 */
export const promptFiles = {
  lstat: promptly(whereThere('lstat', lstatSync)) as typeof promises.lstat,
  stat: promptly(whereThere('stat', statSync)) as typeof promises.stat,
  realpath: promptly(whereThere('realpath', realpathSync.native)) as typeof promises.realpath,
  readlink: promptly(readlinkSync) as typeof promises.readlink,
  readdir: promptly(whereThere('scandir', readdirSync)) as typeof promises.readdir,
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

/**
 * The same, for a path that most often leads nowhere, as most of those a start looks at: an exception of Node's own takes ten
 * times as long as the look.
 */
function whereThere<Arguments extends readonly unknown[]>(
  syscall: string,
  call: (path: string, ...more: Arguments) => unknown,
): typeof call {
  return (path, ...more) => {
    if (typeof path === 'string' && isMissing(path)) throw nothingThere(syscall, path);
    return call(path, ...more);
  };
}

function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // Told by the call itself.
    return false;
  }
}

function nothingThere(syscall: string, path: string): NodeJS.ErrnoException {
  const error = new Error(`ENOENT: no such file or directory, ${syscall} '${path}'`);
  return Object.assign(error, { errno: -systemConstants.errno.ENOENT, code: 'ENOENT', syscall, path });
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
  const seen = statSync(path, { throwIfNoEntry: false });
  if (seen === undefined && isMissing(path)) throw nothingThere('open', path);
  if (seen?.isFile() === false) return undefined;
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
