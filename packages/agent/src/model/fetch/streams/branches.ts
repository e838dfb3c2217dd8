// What one reader reads, twice: the two sources of a teed stream.
import type { Controller, Reader, Source } from './readable.ts';

/** Asked by either, a chunk is read once and given to both; who cancels waits until the other does. */
export function branches<Chunk>(reader: Reader<Chunk>): [Source<Chunk>, Source<Chunk>] {
  const controllers = new Set<Controller<Chunk>>();
  const reasons: [unknown, unknown] = [undefined, undefined];
  let cancelled: (done: void | Promise<void>) => void;
  const bothCancelled = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  let reading: Promise<void> | undefined;
  const share = async () => {
    try {
      const { done, value } = await reader.read();
      // Before the chunk is given: whoever takes it asks for the next.
      reading = undefined;
      for (const controller of controllers) {
        if (done) controller.close();
        else controller.enqueue(value);
      }
      if (done) cancelled();
    } catch (error) {
      for (const controller of controllers) controller.error(error);
      cancelled();
    }
  };
  const branch = (at: 0 | 1): Source<Chunk> => {
    let own: Controller<Chunk>;
    return {
      start(controller) {
        own = controller;
        controllers.add(controller);
      },
      pull() {
        reading ??= share();
        return reading;
      },
      cancel(reason) {
        controllers.delete(own);
        reasons[at] = reason;
        if (controllers.size === 0) cancelled(reader.cancel(reasons));
        return bothCancelled;
      },
    };
  };
  return [branch(0), branch(1)];
}
