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

/**
 * Like `open` of `node:fs/promises`, with its errors. Content is read and written in the background, as there; the file is
 * opened at once, and what the system says about it is answered so. For a FIFO that has no other end yet nobody waits.
 */
export async function openFile(path: string, flags: 'wx' | number, mode?: number): Promise<OpenFile> {
  const file = openSync(path, neverWaiting(flags), mode);
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
    await settled((done: Done<void>) => close(file, done));
  }

  return {
    chmod: (bits) => use((done) => fchmod(file, bits, done)),
    close: () => (closed ??= closeWhenIdle()),
    datasync: () => use((done) => fdatasync(file, done)),
    read: (buffer, offset, length, position) =>
      use((done) =>
        read(file, buffer, offset, length, position, (error, bytesRead) => done(error, { bytesRead })),
      ),
    readFile: (encoding) => use((done) => readFile(file, encoding, done)),
    stat: ((options?: StatOptions) =>
      use((done: Done<Stats | BigIntStats>) => done(null, fstatSync(file, options)))) as OpenFile['stat'],
    sync: () => use((done) => fsync(file, done)),
    truncate: (length) => use((done) => ftruncate(file, length, done)),
    write: (buffer, offset, length, position) =>
      use((done) =>
        write(file, buffer, offset, length, position, (error, bytesWritten) => done(error, { bytesWritten })),
      ),
    writeFile: (text) => use((done) => writeFile(file, text, done)),
  };
}

export type Done<T> = (error: Error | null, value?: T) => void;

/** What `promisify` of node:util does, which takes as long to make such functions as to use one. */
export function settled<T>(start: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error) reject(error);
      else resolve(value as T);
    });
  });
}

/** A new file's name can be no FIFO's. */
export function neverWaiting(flags: 'wx' | number): string | number {
  return typeof flags === 'number' ? flags | constants.O_NONBLOCK : flags;
}
