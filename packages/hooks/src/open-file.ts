// An open file on the functions of node:fs: loading node:fs/promises takes a fifteenth of Node's own start.
import {
  type BigIntStats,
  close,
  constants,
  fchmod,
  fdatasync,
  fstatSync,
  fsync,
  ftruncate,
  openSync,
  read,
  readFile,
  type StatOptions,
  type Stats,
  write,
  writeFile,
} from 'node:fs';

/** What is done with an open file here. A `FileHandle` of `node:fs/promises` is one. */
export interface OpenFile {
  chmod(mode: number): Promise<void>;
  /** When all that was asked of the file is done. Nothing can be asked of it afterwards. */
  close(): Promise<void>;
  datasync(): Promise<void>;
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ readonly bytesRead: number }>;
  readFile(encoding: BufferEncoding): Promise<string>;
  stat(): Promise<Stats>;
  stat(options: { readonly bigint: true }): Promise<BigIntStats>;
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  write(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ readonly bytesWritten: number }>;
  writeFile(text: string): Promise<void>;
}

/** How an open file is used: what `node:fs` has for each, in the background, or the same at once. */
export interface FileWays {
  chmod(file: number, mode: number, done: Done<void>): void;
  close(file: number, done: Done<void>): void;
  datasync(file: number, done: Done<void>): void;
  read(file: number, ...given: [...Part, Done<number>]): void;
  readFile(file: number, encoding: BufferEncoding, done: Done<string>): void;
  sync(file: number, done: Done<void>): void;
  truncate(file: number, length: number, done: Done<void>): void;
  write(file: number, ...given: [...Part, Done<number>]): void;
  writeFile(file: number, text: string, done: Done<void>): void;
}

type Part = [buffer: Uint8Array, offset: number, length: number, position: number | null];

type Done<T> = (error: Error | null, value?: T) => void;

/**
 * Like `open` of `node:fs/promises`, with its errors. Content is read and written in the background, as there; the file is
 * opened at once, and what the system says about it is answered so. For a FIFO that has no other end yet nobody waits.
 */
export const openFile = createOpenFile({
  chmod: fchmod,
  close,
  datasync: fdatasync,
  read,
  readFile,
  sync: fsync,
  truncate: ftruncate,
  write,
  writeFile,
});

/** Opens files that are used in these ways. */
export function createOpenFile(ways: FileWays) {
  return async (path: string, flags: 'wx' | number, mode?: number): Promise<OpenFile> => {
    // A new file's name can be no FIFO's.
    const file = openSync(path, typeof flags === 'number' ? flags | constants.O_NONBLOCK : flags, mode);
    const busy = new Set<Promise<unknown>>();
    let closed: Promise<void> | undefined;

    /** Its number may be another file's once it is closed. */
    async function use<T>(start: (done: Done<T>) => void): Promise<T> {
      if (closed !== undefined) throw Object.assign(new Error('the file is closed'), { code: 'EBADF' });
      const result = settled(start);
      busy.add(result);
      try {
        return await result;
      } finally {
        busy.delete(result);
      }
    }

    async function closeWhenIdle(): Promise<void> {
      await Promise.allSettled(busy);
      await settled<void>((done) => ways.close(file, done));
    }

    return {
      chmod: (bits) => use((done) => ways.chmod(file, bits, done)),
      close: () => (closed ??= closeWhenIdle()),
      datasync: () => use((done) => ways.datasync(file, done)),
      read: async (...part) => ({
        bytesRead: await use<number>((done) => ways.read(file, ...part, done)),
      }),
      readFile: (encoding) => use((done) => ways.readFile(file, encoding, done)),
      stat: ((options?: StatOptions) =>
        use((done: Done<Stats | BigIntStats>) => done(null, fstatSync(file, options)))) as OpenFile['stat'],
      sync: () => use((done) => ways.sync(file, done)),
      truncate: (length) => use((done) => ways.truncate(file, length, done)),
      write: async (...part) => ({
        bytesWritten: await use<number>((done) => ways.write(file, ...part, done)),
      }),
      writeFile: (text) => use((done) => ways.writeFile(file, text, done)),
    };
  };
}

/** What `promisify` of node:util does, which takes as long to make such functions as to use one. */
function settled<T>(start: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error) reject(error);
      else resolve(value as T);
    });
  });
}
