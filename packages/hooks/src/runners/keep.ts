// A process that stays: lines in, lines out, until it is closed or ends by itself.
import { StringDecoder } from 'node:string_decoder';
import { drain } from './drain.ts';
import { type LaunchRequest, launch } from './launch.ts';
import { readLines } from './lines.ts';
import type { ProcessWorld } from './process.ts';
import type { RunEnd } from './runner.ts';
import type { FailedEnd } from './spawn-failure.ts';

export interface KeepRequest extends LaunchRequest {
  readonly onLine: (line: string) => void;
  /** Longest line in characters. A process that prints a longer one is ended, since its output cannot be followed. */
  readonly lineCap: number;
}

export interface KeptProcess {
  readonly kind: 'kept';
  readonly pid: number;
  /** Never throws and never waits; what a process that has ended is told is lost. */
  write(text: string): void;
  /** Resolves when it ended and its last lines were given. */
  readonly ended: Promise<RunEnd>;
  /** The end of what it printed to stderr. */
  stderr(): string;
  /** Closes its input, gives it a moment to end by itself, then ends its group. Resolves when it is gone. */
  close(): Promise<void>;
}

const stderrCap = 4_096;
/** For a process that ends when its input does. */
const goodbyeMs = 500;

/** The process and its pipes do not keep the program alive. */
export async function keepProcess(
  request: KeepRequest,
  world: ProcessWorld,
): Promise<KeptProcess | FailedEnd> {
  const launched = await launch(request, 'pipe', world);
  if (launched.kind === 'not-launched') return launched.why;
  const { process, family } = launched;
  let bytes = 0;
  let stderr = '';
  let ending: Promise<boolean> | undefined;
  const end = (after?: Promise<unknown>): Promise<boolean> => {
    ending ??= world.end(family, after);
    return ending;
  };

  process.stdin?.on('error', () => {});
  process.stdout.on('data', (piece) => {
    bytes += piece.length;
  });
  readLines(process.stdout, request.lineCap, { onLine: request.onLine, onOverlong: () => void end() });
  const decoder = new StringDecoder('utf8');
  process.stderr.on('data', (piece) => {
    stderr = (stderr + decoder.write(piece)).slice(-stderrCap);
  });
  process.stderr.on('error', () => {});
  process.release();

  const ended = process.ended.then(async (how) => {
    await drain(process.closed, () => bytes);
    process.abandon();
    // What it leaves behind was its own and would only stand beside the next one's.
    void end();
    return how;
  });
  return {
    kind: 'kept',
    pid: process.pid,
    write: (text) => void process.stdin?.write(text),
    ended,
    stderr: () => stderr,
    async close() {
      // The process and the clocks that end it do not keep the program alive; whoever waits for the end does.
      const alive = setInterval(() => {}, goodbyeMs);
      process.stdin?.end();
      await end(Promise.race([ended, pause(goodbyeMs)])).finally(() => clearInterval(alive));
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
