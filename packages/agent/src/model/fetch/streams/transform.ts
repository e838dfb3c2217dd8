// One step of a pipeline, as much of the web's `TransformStream` as model clients use.
import { type Controller, PlainReadableStream, type Reader, type Stage } from './readable.ts';

export interface TransformController<Out> {
  enqueue(chunk: Out): void;
  error(reason: unknown): void;
}

export interface Transformer<In, Out> {
  start?(controller: TransformController<Out>): unknown;
  transform(chunk: In, controller: TransformController<Out>): unknown;
  flush?(controller: TransformController<Out>): unknown;
}

/** Reads from what is piped into it only when somebody reads from it. It has to be piped into before that. */
export class PlainTransformStream<In, Out> implements Stage<In, Out> {
  readonly readable: PlainReadableStream<Out>;
  #input: Reader<In> | undefined;
  /** It ended, failed or was cancelled. */
  #over = false;
  #made = false;

  constructor(transformer: Transformer<In, Out>) {
    let controller: TransformController<Out>;
    this.readable = new PlainReadableStream<Out>(
      {
        start: (out) => {
          controller = this.#controllerOver(out);
          return transformer.start?.(controller);
        },
        pull: async (out) => {
          this.#made = false;
          try {
            while (!this.#made && !this.#over) await this.#step(transformer, controller, out);
          } catch (error) {
            controller.error(error);
          }
        },
        cancel: (reason) => this.#letGo(reason),
      },
      { highWaterMark: 0 },
    );
  }

  readFrom(input: Reader<In>): void {
    this.#input = input;
  }

  #controllerOver(out: Controller<Out>): TransformController<Out> {
    return {
      enqueue: (chunk) => {
        this.#made = true;
        out.enqueue(chunk);
      },
      error: (reason) => {
        out.error(reason);
        this.#letGo(reason);
      },
    };
  }

  async #step(
    transformer: Transformer<In, Out>,
    controller: TransformController<Out>,
    out: Controller<Out>,
  ): Promise<void> {
    if (this.#input === undefined) throw new TypeError('nothing was piped into the stream');
    const { done, value } = await this.#input.read();
    if (this.#over) return;
    if (!done) {
      await transformer.transform(value, controller);
      return;
    }
    await transformer.flush?.(controller);
    if (this.#over) return;
    this.#over = true;
    out.close();
  }

  #letGo(reason: unknown): void {
    if (this.#over) return;
    this.#over = true;
    // Whether it could be cancelled, nobody here can use.
    this.#input?.cancel(reason).catch(() => {});
  }
}
