// Real pipes for what a process prints. Node's own are sockets, which Linux does not let a program open by name: with
// them `echo why > /dev/stderr` and `tee /dev/stderr` fail in every hook.
import { closeSync, constants, openSync } from 'node:fs';
import { PipeReader } from './pipe-reader.ts';
import { batch, type PipeSource, type PipeSupplyOptions, pipeSources } from './pipe-sources.ts';

/** One pipe: our end to read, and a descriptor that a process opens anew to write. While we hold that, there is no end. */
export interface OutputPipe {
  readonly reader: PipeReader;
  readonly held: number;
}

/** stdout's pipe, then stderr's. */
export type OutputPipes = readonly [OutputPipe, OutputPipe];

/** Named pipes that the output of hooks is read from, made before they are needed. */
export interface PipeSupply {
  /** Makes the first ones now, for a program that will start about so many processes. */
  prepare(processes: number): void;
  /** Undefined where none are made yet. */
  takeNow(): OutputPipes | undefined;
  /** Undefined where there are no such pipes: then Node's own must do. Never rejects. */
  take(): Promise<OutputPipes | undefined>;
  /** Resolves when none are being made: from then on nothing of it is in the directory. */
  idle(): Promise<void>;
  /** Closes those that nobody took; from then on there are none. */
  close(): void;
}

/** Where nobody said that more will be needed: a run may start a single process. */
const firstBatch = 4;

/** Descriptors are held, names are not: nothing stays in `directories`, however the program ends, SIGKILL included. */
export function createPipeSupply(options: PipeSupplyOptions = {}): PipeSupply {
  const sources = pipeSources(options);
  let taken = false;
  let making: Promise<void> | undefined;

  const make = async (source: PipeSource, count: number): Promise<void> => {
    try {
      await source.make(count);
    } catch {
      // Seen by its having none.
    }
    making = undefined;
    // One that has no descriptors left would be asked for ever.
    if (source.left() < 2 && sources[0] === source) sources.shift();
    if (!sources.includes(source)) source.close();
  };

  const takeNow = (): OutputPipes | undefined => {
    const [source] = sources;
    if (source === undefined) return undefined;
    const [stdout, stderr] = source.take(2);
    if (stdout === undefined) return undefined;
    if (stderr === undefined) {
      closeSync(stdout);
      return undefined;
    }
    // Behind this start, so that a later one need not wait.
    if (source.left() < source.low(taken)) making ??= make(source, batch);
    taken = true;
    return openToRead(stdout, stderr);
  };

  return {
    takeNow,
    idle: async () => making,
    close() {
      for (const source of sources.splice(0)) source.close();
    },
    prepare(processes) {
      const [source] = sources;
      const count = Math.min(2 * processes, batch);
      if (source !== undefined && source.left() < Math.min(count, source.low(true)))
        making ??= make(source, count);
    },
    async take() {
      for (;;) {
        const pipes = takeNow();
        const [source] = sources;
        if (pipes !== undefined || source === undefined || source.left() >= 2) return pipes;
        making ??= make(source, taken ? batch : firstBatch);
        await making;
      }
    },
  };
}

/** For pipes that no process got. */
export function discardPipes(pipes: OutputPipes | undefined): void {
  for (const pipe of pipes ?? []) {
    closeSync(pipe.held);
    pipe.reader.destroy();
  }
}

/** Another descriptor, which a process may inherit. Throws where none is left. */
export function openToWrite({ held }: OutputPipe): number {
  return openSync(nameOf(held), constants.O_WRONLY);
}

/** From now on only the process that got them writes to them. */
export function handOver(pipes: OutputPipes): void {
  for (const { held } of pipes) closeSync(held);
}

/** Undefined where no descriptor is left. */
function openToRead(stdout: number, stderr: number): OutputPipes | undefined {
  const first = readerOf(stdout);
  const second = first && readerOf(stderr);
  if (first !== undefined && second !== undefined) {
    return [
      { reader: first, held: stdout },
      { reader: second, held: stderr },
    ];
  }
  first?.destroy();
  closeSync(stdout);
  closeSync(stderr);
  return undefined;
}

function readerOf(held: number): PipeReader | undefined {
  try {
    return new PipeReader(openSync(nameOf(held), constants.O_RDONLY | constants.O_NONBLOCK));
  } catch {
    return undefined;
  }
}

function nameOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}
