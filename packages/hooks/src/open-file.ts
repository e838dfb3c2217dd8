// An open file on the functions of node:fs: loading node:fs/promises takes a fifteenth of Node's own start.
import * as fs from 'node:fs';
import { promisify } from 'node:util';

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
  stat(): Promise<fs.Stats>;
  stat(options: { readonly bigint: true }): Promise<fs.BigIntStats>;
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
  const file = fs.openSync(path, typeof flags === 'number' ? flags | fs.constants.O_NONBLOCK : flags, mode);
  const busy = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  /** Its number may be another file's once it is closed. */
  async function use<T>(work: () => Promise<T>): Promise<T> {
    if (closed !== undefined) throw Object.assign(new Error('the file is closed'), { code: 'EBADF' });
    const result = work();
    busy.add(result);
    try {
      return await result;
    } finally {
      busy.delete(result);
    }
  }

  async function closeWhenIdle(): Promise<void> {
    await Promise.allSettled(busy);
    await close(file);
  }

  return {
    chmod: (bits) => use(() => chmod(file, bits)),
    close: () => (closed ??= closeWhenIdle()),
    datasync: () => use(() => datasync(file)),
    read: (...given) => use(() => read(file, ...given)),
    readFile: (encoding) => use(() => readFile(file, encoding)),
    stat: ((options?: fs.StatOptions) => use(async () => fs.fstatSync(file, options))) as OpenFile['stat'],
    sync: () => use(() => sync(file)),
    truncate: (length) => use(() => truncate(file, length)),
    write: (...given) => use(() => write(file, ...given)),
    writeFile: (text) => use(() => writeFile(file, text)),
  };
}

const chmod = promisify(fs.fchmod);
const close = promisify(fs.close);
const datasync = promisify(fs.fdatasync);
const read = promisify(fs.read);
const readFile = promisify(fs.readFile);
const sync = promisify(fs.fsync);
const truncate = promisify(fs.ftruncate);
const write = promisify(fs.write);
const writeFile = promisify(fs.writeFile);
