// Cuts a stream into lines, as text.
import { StringDecoder } from 'node:string_decoder';
import type { OutputStream } from './output.ts';

export interface LineListener {
  /** One line without its newline. A last line that was never ended is not given. */
  readonly onLine: (line: string) => void;
  /** A line grew over the cap; nothing is given after it. */
  readonly onOverlong: () => void;
}

/** @param cap the longest line, in characters */
export function readLines(stream: OutputStream, cap: number, listener: LineListener): void {
  const decoder = new StringDecoder('utf8');
  let pending: string[] = [];
  let length = 0;
  let broken = false;

  stream.on('data', (piece: Buffer) => {
    if (broken) return;
    const [first = '', ...rest] = decoder.write(piece).split('\n');
    extend(first);
    for (const next of rest) {
      const line = pending.join('');
      pending = [];
      length = 0;
      if (!broken) listener.onLine(line);
      extend(next);
    }
  });
  // Reading may fail when the other side is killed; what came until then is what there is.
  stream.on('error', () => {});

  function extend(text: string) {
    length += text.length;
    if (length <= cap) {
      pending.push(text);
      return;
    }
    pending = [];
    if (!broken) listener.onOverlong();
    broken = true;
  }
}
