// Gives a process its input without ever waiting for it to read.
import { closeSync, constants, openSync, unlinkSync, writeSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Writable } from 'node:stream';

export interface Input {
  /** For the first place of `stdio`. */
  readonly stdio: 'ignore' | 'pipe' | number;
  /** Hands over what was not handed over by the start itself. Never throws, never waits. */
  deliver(stdin: Writable | null): void;
  /** Gives up our side of the file; the process keeps its own. */
  release(): void;
}

/**
 * A file without a name holds the input, so that a process which reads late, in part or never costs neither memory
 * nor an error, and `/dev/stdin` can be opened, which a socket (Node's own pipe) refuses. Where no file can be made
 * the input goes through such a pipe. The first of `directories` in which there is room is used.
 */
export function openInput(text: string, directories: readonly string[]): Input {
  if (text === '') return { stdio: 'ignore', deliver: () => {}, release: () => {} };
  for (const directory of directories) {
    try {
      const descriptor = openNameless(directory, text);
      return { stdio: descriptor, deliver: () => {}, release: () => closeSync(descriptor) };
    } catch {
      // The next one may be there, and have room.
    }
  }
  return { stdio: 'pipe', deliver: (stdin) => writeAll(stdin, text), release: () => {} };
}

/** Written by position, so that the offset the process inherits is still 0. */
function openNameless(directory: string, text: string): number {
  const descriptor = neverNamed(directory) ?? onceNamed(directory);
  try {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(descriptor, bytes, written, bytes.length - written, written);
    }
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Nothing is left of it even when the program is killed in between. Undefined where the system has no such files. */
function neverNamed(directory: string): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return openSync(directory, temporaryFile | constants.O_RDWR, 0o600);
  } catch {
    return undefined;
  }
}

/** Linux's O_TMPFILE, which Node has no name for. */
const temporaryFile = 0o20000000 | constants.O_DIRECTORY;

function onceNamed(directory: string): number {
  const path = join(directory, `codey-stdin-${randomUUID()}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return descriptor;
}

/** A process that ends or closes its input before the last byte has not failed for that (EPIPE). */
function writeAll(stdin: Writable | null, text: string): void {
  stdin?.on('error', () => {});
  stdin?.end(text);
}
