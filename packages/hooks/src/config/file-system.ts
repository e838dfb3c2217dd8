// The few things settings need of a disk. `node:fs/promises` fits as it is; tests and embedders may pass another.
import type * as promises from 'node:fs/promises';
import { disk } from '../disk.ts';
import type { OpenFile } from '../open-file.ts';

export interface FileFacts {
  isFile(): boolean;
  isDirectory(): boolean;
  readonly size: number;
  readonly mode: number;
  readonly uid: number;
}

export interface ReadPort {
  readFile(path: string): Promise<Uint8Array>;
  realpath(path: string): Promise<string>;
  stat(path: string): Promise<FileFacts>;
  lstat(path: string): Promise<FileFacts>;
}

export interface WritePort
  extends Pick<
    typeof promises,
    'link' | 'lstat' | 'mkdir' | 'readdir' | 'readFile' | 'realpath' | 'rename' | 'stat' | 'unlink'
  > {
  open(path: string, flags: string | number, mode?: number): Promise<OpenFile>;
}

export const localDisk: WritePort = disk;

/** The text with its byte order mark, undefined where there is no file. Throws what the disk throws, and for bad UTF-8. */
export async function readTextIfAny(file: string, fs: ReadPort): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await fs.readFile(file));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The code of a failed file operation, such as `ENOENT`; the message of anything else. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message : String(error);
}
