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
  let prompt: number | undefined;

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
    const rest = Buffer.from(text);
    let written = 0;
    try {
      prompt ??= openPrompt(world.stdoutDescriptor);
      while (prompt !== undefined && written < rest.length) written += writeSync(prompt, rest, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return fail(error as NodeJS.ErrnoException);
    }
    if (written === rest.length) return;
    // Node's stream waits in the background: signals and deadlines count meanwhile.
    stream = world.stdout;
    stream.on('error', fail);
    stream.write(rest.subarray(written));
    if (prompt !== undefined && prompt !== world.stdoutDescriptor) closeSync(prompt);
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

/** A descriptor of the same stdout that waits no longer than Node's own stream would; undefined where only that one can. */
function openPrompt(stdout: number): number | undefined {
  try {
    const facts = fstatSync(stdout);
    // Files and terminals Node's stream writes just so.
    if (facts.isFile() || facts.isCharacterDevice()) return stdout;
    // Opened anew, since the one that we got is other programs' as well, and they may count on waiting.
    if (facts.isFIFO()) {
      return openSync(`/proc/self/fd/${stdout}`, constants.O_WRONLY | constants.O_NONBLOCK);
    }
  } catch {
    // No Linux, or somebody else's pipe.
  }
  return undefined;
}
