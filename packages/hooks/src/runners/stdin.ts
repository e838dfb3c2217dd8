// Gives a process its input without ever waiting for it to read.
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
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
 * the input goes through such a pipe.
 */
export function openInput(text: string, directory: string): Input {
  if (text === '') return { stdio: 'ignore', deliver: () => {}, release: () => {} };
  try {
    const descriptor = openNameless(directory, text);
    return { stdio: descriptor, deliver: () => {}, release: () => closeSync(descriptor) };
  } catch {
    return { stdio: 'pipe', deliver: (stdin) => writeAll(stdin, text), release: () => {} };
  }
}

/** Written by position, so that the offset the process inherits is still 0. */
function openNameless(directory: string, text: string): number {
  const path = join(directory, `codey-stdin-${randomUUID()}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  try {
    unlinkSync(path);
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

/** A process that ends or closes its input before the last byte has not failed for that (EPIPE). */
function writeAll(stdin: Writable | null, text: string): void {
  stdin?.on('error', () => {});
  stdin?.end(text);
}
