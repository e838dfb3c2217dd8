// Chunks that are made when they are asked for, as much of the web's `ReadableStream` as model clients use.
import { branches } from './branches.ts';

export interface Controller<Chunk> {
  /** How many chunks are still welcome; null when the stream failed. */
  readonly desiredSize: number | null;
  enqueue(chunk: Chunk): void;
  close(): void;
  error(reason: unknown): void;
}

/** Where chunks come from: `pull` is called again only when what it said before is done. */
export interface Source<Chunk> {
  start?(controller: Controller<Chunk>): unknown;
  pull?(controller: Controller<Chunk>): unknown;
  cancel?(reason: unknown): unknown;
}

export type ReadResult<Chunk> =
  | { readonly done: false; readonly value: Chunk }
  | { readonly done: true; readonly value: undefined };

export interface Reader<Chunk> {
  read(): Promise<ReadResult<Chunk>>;
  cancel(reason?: unknown): Promise<void>;
  releaseLock(): void;
}

/** What a stream can be piped through. */
export interface Stage<In, Out> {
  readonly readable: PlainReadableStream<Out>;
  readFrom(input: Reader<In>): void;
}

type State =
  | { readonly is: 'open' | 'closing' | 'closed' }
  | { readonly is: 'failed'; readonly reason: unknown };

interface WaitingRead<Chunk> {
  readonly resolve: (result: ReadResult<Chunk>) => void;
  readonly reject: (reason: unknown) => void;
}

export class PlainReadableStream<Chunk> implements AsyncIterable<Chunk> {
  readonly #source: Source<Chunk>;
  readonly #highWaterMark: number;
  readonly #controller: Controller<Chunk>;
  readonly #chunks: Chunk[] = [];
  #reads: WaitingRead<Chunk>[] = [];
  #state: State = { is: 'open' };
  #locked = false;
  #started = false;
  #pulling = false;
  #pullAgain = false;

  constructor(source: Source<Chunk> = {}, { highWaterMark = 1 }: { readonly highWaterMark?: number } = {}) {
    this.#source = source;
    this.#highWaterMark = highWaterMark;
    this.#controller = this.#makeController();
    const starting = source.start?.(this.#controller);
    Promise.resolve(starting).then(
      () => {
        this.#started = true;
        this.#pullIfWanted();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  getReader(): Reader<Chunk> {
    if (this.#locked) throw new TypeError('the stream is read by somebody already');
    this.#locked = true;
    let held = true;
    return {
      read: () => (held ? this.#read() : Promise.reject(released())),
      cancel: (reason) => (held ? this.#cancel(reason) : Promise.reject(released())),
      releaseLock: () => {
        if (!held) return;
        held = false;
        this.#locked = false;
        for (const { reject } of this.#takeReads()) reject(released());
      },
    };
  }

  pipeThrough<Out>(stage: Stage<Chunk, Out>): PlainReadableStream<Out> {
    stage.readFrom(this.getReader());
    return stage.readable;
  }

  tee(): [PlainReadableStream<Chunk>, PlainReadableStream<Chunk>] {
    const [one, other] = branches(this.getReader());
    const onDemand = { highWaterMark: 0 };
    return [new PlainReadableStream(one, onDemand), new PlainReadableStream(other, onDemand)];
  }

  async cancel(reason?: unknown): Promise<void> {
    if (this.#locked) throw new TypeError('whoever reads the stream cancels it');
    await this.#cancel(reason);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk, undefined> {
    const reader = this.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      const cancelled = reader.cancel();
      reader.releaseLock();
      await cancelled;
    }
  }

  #makeController(): Controller<Chunk> {
    const desiredSize = () => {
      if (this.#state.is === 'failed') return null;
      return this.#state.is === 'closed' ? 0 : this.#highWaterMark - this.#chunks.length;
    };
    return {
      get desiredSize() {
        return desiredSize();
      },
      enqueue: (chunk) => {
        this.#mustBeOpen();
        const read = this.#reads.shift();
        if (read === undefined) this.#chunks.push(chunk);
        else read.resolve({ done: false, value: chunk });
        this.#pullIfWanted();
      },
      close: () => {
        this.#mustBeOpen();
        this.#state = { is: 'closing' };
        if (this.#chunks.length === 0) this.#close();
      },
      error: (reason) => this.#fail(reason),
    };
  }

  #read(): Promise<ReadResult<Chunk>> {
    if (this.#chunks.length > 0) {
      const value = this.#chunks.shift() as Chunk;
      if (this.#state.is === 'closing' && this.#chunks.length === 0) this.#close();
      else this.#pullIfWanted();
      return Promise.resolve({ done: false, value });
    }
    if (this.#state.is === 'failed') return Promise.reject(this.#state.reason);
    if (this.#state.is === 'closed') return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#reads.push({ resolve, reject });
      this.#pullIfWanted();
    });
  }

  async #cancel(reason: unknown): Promise<void> {
    if (this.#state.is === 'failed') throw this.#state.reason;
    if (this.#state.is === 'closed') return;
    this.#chunks.length = 0;
    this.#close();
    await this.#source.cancel?.(reason);
  }

  #close(): void {
    this.#state = { is: 'closed' };
    for (const { resolve } of this.#takeReads()) resolve({ done: true, value: undefined });
  }

  #fail(reason: unknown): void {
    if (this.#state.is === 'closed' || this.#state.is === 'failed') return;
    this.#state = { is: 'failed', reason };
    this.#chunks.length = 0;
    for (const { reject } of this.#takeReads()) reject(reason);
  }

  #pullIfWanted(): void {
    if (!this.#started || this.#state.is !== 'open') return;
    if (this.#reads.length === 0 && this.#chunks.length >= this.#highWaterMark) return;
    if (this.#pulling) this.#pullAgain = true;
    else void this.#pull();
  }

  async #pull(): Promise<void> {
    this.#pulling = true;
    try {
      await this.#source.pull?.(this.#controller);
    } catch (error) {
      this.#fail(error);
    }
    this.#pulling = false;
    if (!this.#pullAgain) return;
    this.#pullAgain = false;
    this.#pullIfWanted();
  }

  #takeReads(): readonly WaitingRead<Chunk>[] {
    const reads = this.#reads;
    this.#reads = [];
    return reads;
  }

  #mustBeOpen(): void {
    if (this.#state.is !== 'open') throw new TypeError('the stream takes no more chunks');
  }
}

function released(): TypeError {
  return new TypeError('the reader was released');
}
