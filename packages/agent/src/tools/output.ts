// Keeps what a tool says within what a model should read: the head, the tail and how much lies between.

/** Characters of one result: some 8,000 tokens, enough for a long test log and small beside a model's window. */
export const outputCap = 30_000;

/** The text itself, or its two ends with a line between them that says what is missing. */
export function capOutput(text: string, cap = outputCap): string {
  const kept = createHeadTail(cap);
  kept.add(text);
  return kept.text();
}

export interface HeadTail {
  add(text: string): void;
  /** What was kept so far. */
  text(): string;
}

/** Collects text of any length in bounded memory. Errors tend to stand at the end of a log, so both ends are kept. */
export function createHeadTail(cap = outputCap): HeadTail {
  const half = Math.floor(cap / 2);
  let head = '';
  let tail = '';
  let dropped = 0;

  function trimTail(): void {
    const kept = cutStart(tail, half);
    dropped += tail.length - kept.length;
    tail = kept;
  }

  return {
    add(text) {
      let rest = text;
      if (tail === '' && head.length < half) {
        const added = cutEnd(rest, half - head.length);
        head += added;
        rest = rest.slice(added.length);
      }
      tail += rest;
      // Only now and then: trimming at each small piece would copy the whole tail for it.
      if (tail.length > cap) trimTail();
    },
    text() {
      if (dropped > 0) trimTail();
      if (dropped === 0) return head + tail;
      return `${head}\n[… ${count(dropped, 'character')} left out here …]\n${tail}`;
    },
  };
}

/** At most `length` characters from the start; never half of a surrogate pair. */
export function cutEnd(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

/** `1 line`, `2,000 lines`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? noun : plural}`;
}

function cutStart(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.length - length;
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
