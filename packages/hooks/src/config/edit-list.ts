// Adds an item to the text of an object or list, or takes one away, with the commas that go with it.
import { createScanner } from 'jsonc-parser';
import type { Node } from './document.ts';
import { layoutOf, lineStart, render, startsLine } from './text-layout.ts';

/** A stretch of text that goes, and what stands in its place. */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly insert?: string;
}

/** Cuts do not overlap; those at one offset keep their order. */
export function applyCuts(text: string, cuts: readonly Cut[]): string {
  let result = '';
  let position = 0;
  for (const { from, to, insert = '' } of [...cuts].sort((one, other) => one.from - other.from)) {
    result += text.slice(position, from) + insert;
    position = to;
  }
  return result + text.slice(position);
}

/** As the last item, behind every comment that stands in the container. */
export function insertItem(text: string, container: Node, key: string | number, value: unknown): string {
  const last = container.children?.at(-1);
  const close = container.offset + container.length - 1;
  const tail = scanGap(text, last === undefined ? container.offset + 1 : last.offset + last.length, close);
  const layout = layoutOf(text, container);
  const opensUp = layout.multiline || (last === undefined && container.type === 'object');
  const item =
    (typeof key === 'string' ? `${JSON.stringify(key)}: ` : '') +
    render(value, { ...layout, multiline: opensUp });
  const comma =
    last === undefined || tail.comma !== undefined ? [] : [{ from: tail.start, to: tail.start, insert: ',' }];
  const trailing = tail.comma === undefined ? '' : ',';
  if (!opensUp) {
    const space = last === undefined ? '' : ' ';
    return applyCuts(text, [
      ...comma,
      { from: tail.end, to: tail.end, insert: `${space}${item}${trailing}` },
    ]);
  }
  const closing = /[\r\n]/.test(text.slice(tail.end, close)) ? '' : layout.eol + layout.outer;
  const to = closing === '' ? tail.end : close;
  const insert = layout.eol + layout.inner + item + trailing + closing;
  return applyCuts(text, [...comma, { from: tail.end, to, insert }]);
}

/** With its line where it has one to itself. Comments around it stay. */
export function removeItem(text: string, container: Node, item: Node): string {
  const items = container.children ?? [];
  const index = items.indexOf(item);
  const end = item.offset + item.length;
  const next = items[index + 1];
  const previous = items[index - 1];
  const after = scanGap(text, end, next?.offset ?? container.offset + container.length - 1);
  const before =
    previous === undefined ? undefined : scanGap(text, previous.offset + previous.length, item.offset);
  const adjacent = after.comma !== undefined && text.slice(end, after.comma).trim() === '';
  const cuts: Cut[] = [withBlanks(text, item.offset, adjacent ? after.comma + 1 : end, next !== undefined)];
  if (after.comma !== undefined && !adjacent) cuts.push({ from: after.comma, to: after.comma + 1 });
  if (after.comma === undefined && before?.comma !== undefined) {
    cuts.push({ from: before.comma, to: before.comma + 1 });
  }
  return applyCuts(text, cuts);
}

/** The whole line where nothing else is on it, else the blanks towards the neighbour that moves up. */
function withBlanks(text: string, from: number, to: number, hasNext: boolean): Cut {
  const atStart = startsLine(text, from);
  const rest = /^[ \t]*(?:\r\n|\r|\n)/.exec(text.slice(to));
  if (rest !== null && atStart) return { from: lineStart(text, from), to: to + rest[0].length };
  if (hasNext || atStart) return { from, to: to + (/^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0) };
  return { from: from - (/[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0), to };
}

interface Gap {
  readonly start: number;
  /** End of the last comment or comma in the gap, or its start where there is none. */
  readonly end: number;
  readonly comma: number | undefined;
}

// jsonc-parser declares token kinds as a `const enum`, which isolated modules cannot read.
const commaToken = 5;
const commentTokens: readonly number[] = [12, 13];

/** What stands between two items, or between the last one and the closing bracket: blanks, comments, one comma. */
function scanGap(text: string, start: number, stop: number): Gap {
  const scanner = createScanner(text.slice(start, stop));
  let end = start;
  let comma: number | undefined;
  for (let token: number = scanner.scan(); scanner.getTokenLength() > 0; token = scanner.scan()) {
    const tokenStart = start + scanner.getTokenOffset();
    if (token === commaToken) comma = tokenStart;
    if (token === commaToken || commentTokens.includes(token)) end = tokenStart + scanner.getTokenLength();
  }
  return { start, end, comma };
}
