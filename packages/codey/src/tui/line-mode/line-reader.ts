// Lines of a terminal, one for each time somebody asks.
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface LineReader {
  /** Undefined when there will be no more. `fresh` does not take a line that was typed before it was asked for. */
  ask(prompt: string, options?: { readonly fresh?: boolean }): Promise<string | undefined>;
  /** Whoever asks gets undefined. Safe to call twice. */
  close(): void;
}

export function createLineReader(input: Readable, write: (text: string) => void): LineReader {
  const lines: string[] = [];
  let waiting: ((line: string | undefined) => void) | undefined;
  let ended = false;
  const reader = createInterface({ input, terminal: false });

  const give = (line: string | undefined): void => {
    const take = waiting;
    waiting = undefined;
    if (take !== undefined) take(line);
    else if (line !== undefined) lines.push(line);
  };
  reader.on('line', give);
  reader.on('close', () => {
    ended = true;
    give(undefined);
  });
  return {
    ask(prompt, { fresh = false } = {}) {
      if (fresh) lines.length = 0;
      write(prompt);
      const line = lines.shift();
      if (line !== undefined || ended) return Promise.resolve(line);
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    close: () => reader.close(),
  };
}
