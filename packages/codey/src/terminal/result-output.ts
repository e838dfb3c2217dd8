// stdout of a run without a screen, written past `process.stdout`: making that loads Node's streams, for one line in most runs.
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { failureReason } from '@codey/hooks';
import type { World } from '../start/world.ts';

export interface ResultOutput {
  write(text: string): void;
  /** Its reader has gone, or there is no room any more. */
  closed(): boolean;
  /** Resolves when all is written or it is known that it cannot be. */
  drained(): Promise<void>;
}

/** Once it cannot be written nothing more is, and the run is told so. A reader that left needs no words. */
export function createResultOutput(
  world: Pick<World, 'stdout' | 'stdoutDescriptor' | 'notices'>,
  onClosed: () => void,
): ResultOutput {
  let closed = false;
  let stream: Writable | undefined;
  let prompt: PromptOutput | undefined;

  function fail(error: NodeJS.ErrnoException): void {
    if (closed) return;
    closed = true;
    if (error.code !== 'EPIPE') world.notices.fail(`stdout could not be written: ${failureReason(error)}`);
    // Not in the middle of what is being written about.
    queueMicrotask(onClosed);
  }

  function write(text: string): void {
    if (closed) return;
    if (stream !== undefined) {
      stream.write(text);
      return;
    }
    prompt ??= openPrompt(world.stdoutDescriptor);
    const bytes = Buffer.from(text);
    let written = 0;
    try {
      while (written < bytes.length && bytes.length - written <= prompt.room) {
        const length = writeSync(prompt.descriptor, bytes, written);
        written += length;
        prompt.room -= length;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') fail(error as NodeJS.ErrnoException);
    }
    if (closed || written === bytes.length) return;
    // Node's stream waits in the background: signals and deadlines count meanwhile.
    stream = world.stdout;
    stream.on('error', fail);
    stream.write(bytes.subarray(written));
    if (prompt.descriptor !== world.stdoutDescriptor) closeSync(prompt.descriptor);
  }

  return {
    write,
    closed: () => closed,
    drained: () =>
      new Promise((resolve) => {
        if (closed || stream === undefined) resolve();
        // A write that failed is told a moment after it was made.
        else stream.write('', () => setImmediate(resolve));
      }),
  };
}

/** stdout as far as a write to it waits no longer than Node's own stream would. */
interface PromptOutput {
  readonly descriptor: number;
  /** Bytes that may still be written so. */
  room: number;
}

/** What every socket has room for that nobody has read from yet. */
const socketRoom = 16 * 1024;

function openPrompt(stdout: number): PromptOutput {
  try {
    const facts = fstatSync(stdout);
    // Files and terminals Node's stream writes just so.
    if (facts.isFile() || facts.isCharacterDevice())
      return { descriptor: stdout, room: Number.POSITIVE_INFINITY };
    if (facts.isSocket()) return { descriptor: stdout, room: socketRoom };
    // Opened anew, since the one that we got is other programs' as well, and they may count on waiting.
    if (facts.isFIFO()) {
      const descriptor = openSync(`/proc/self/fd/${stdout}`, constants.O_WRONLY | constants.O_NONBLOCK);
      return { descriptor, room: Number.POSITIVE_INFINITY };
    }
  } catch {
    // No Linux, or somebody else's pipe.
  }
  return { descriptor: stdout, room: 0 };
}
