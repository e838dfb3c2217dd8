// Gathers the lines of one turn of the event loop, so that a writer gets them in order and one batch at a time.

export interface LineQueue {
  /** Never waits and never throws. */
  push(line: string): void;
  /** Resolves when every line pushed before was written, or when the writer has just refused it. */
  flush(): Promise<void>;
}

export interface LineQueueOptions {
  /**
   * Writes lines and says how many it wrote, counted from the first. The others stay and are handed in again, in front
   * of later ones, with the next push or flush. Must not reject.
   */
  readonly write: (lines: readonly string[]) => Promise<number>;
  /** Lines kept while the writer refuses; beyond it the oldest go. No limit unless given. */
  readonly keep?: number;
}

/** Writes lines in batches and in order; those that the writer refuses wait. */
export function createLineQueue({ write, keep = Number.POSITIVE_INFINITY }: LineQueueOptions): LineQueue {
  let waiting: string[] = [];
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    let refused = false;
    while (waiting.length > 0 && !refused) {
      const batch = waiting;
      waiting = [];
      const written = await write(batch);
      refused = written < batch.length;
      if (refused) waiting = batch.slice(written).concat(waiting);
      if (waiting.length > keep) waiting = waiting.slice(-keep);
    }
    draining = undefined;
  }

  return {
    push(line) {
      waiting.push(line);
      // Trimmed in strides: one by one would copy the whole backlog for every line.
      if (waiting.length >= keep * 2) waiting = waiting.slice(-keep);
      draining ??= drain();
    },
    async flush() {
      if (waiting.length > 0) draining ??= drain();
      await draining;
    },
  };
}
