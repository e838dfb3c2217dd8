// Applies one edit to a text, or says why it cannot be applied. Pure, so an approval prompt can show what an edit would do.
import { count } from './output.ts';

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  /** Change every place instead of insisting on exactly one. */
  readonly everywhere: boolean;
}

export type EditResult =
  /** `lines` are where the replaced places began, from 1, in the text before the edit. */
  | { readonly kind: 'edited'; readonly text: string; readonly lines: readonly number[] }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Line ends do not count in the search, and what is put in takes the line ends of its surroundings: a file with CRLF
 * keeps it although models write LF.
 */
export function applyEdit(text: string, edit: Edit): EditResult {
  const wanted = withLineFeeds(edit.oldText);
  const replacement = withLineFeeds(edit.newText);
  if (wanted === '')
    return refused('old_string is empty. Use write_file to make a file or to replace all of it.');
  if (wanted === replacement) {
    return refused(
      'old_string and new_string are the same, so there is nothing to change. Line ends are kept as they are.',
    );
  }
  const plain = withLineFeeds(text);
  const starts = occurrences(plain, wanted);
  if (starts.length === 0) return refused(notFound(plain, wanted));
  const lines = lineNumbers(plain, starts);
  if (starts.length > 1 && !edit.everywhere) return refused(notUnique(lines));
  return { kind: 'edited', text: splice(text, starts, wanted, replacement), lines };
}

function refused(message: string): EditResult {
  return { kind: 'refused', message };
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function occurrences(text: string, wanted: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    starts.push(at);
  return starts;
}

/** @param starts ascending */
function lineNumbers(text: string, starts: readonly number[]): readonly number[] {
  let line = 1;
  let at = 0;
  return starts.map((start) => {
    for (let next = text.indexOf('\n', at); next !== -1 && next < start; next = text.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    return line;
  });
}

/** @param starts in `text` as it is with LF only */
function splice(text: string, starts: readonly number[], wanted: string, replacement: string): string {
  const position = createOriginalPosition(text);
  const pieces: string[] = [];
  let copied = 0;
  for (const start of starts) {
    const from = position(start);
    pieces.push(text.slice(copied, from), replacement.replaceAll('\n', lineEndAt(text, from)));
    copied = position(start + wanted.length);
  }
  return pieces.join('') + text.slice(copied);
}

/** From a position with LF only to the one in `text`; must be asked in ascending order. */
function createOriginalPosition(text: string): (plain: number) => number {
  let pairs = 0;
  let next = text.indexOf('\r\n');
  return (plain) => {
    while (next !== -1 && next - pairs < plain) {
      pairs += 1;
      next = text.indexOf('\r\n', next + 2);
    }
    return plain + pairs;
  };
}

/** The end of the line at a position, or of the one before where the text ends first. */
function lineEndAt(text: string, position: number): '\n' | '\r\n' {
  const after = text.indexOf('\n', position);
  const end = after === -1 ? text.lastIndexOf('\n', position) : after;
  return end > 0 && text[end - 1] === '\r' ? '\r\n' : '\n';
}

function notUnique(lines: readonly number[]): string {
  const shown = lines.slice(0, 10).join(', ') + (lines.length > 10 ? ', …' : '');
  return (
    `old_string occurs ${count(lines.length, 'time')}, at lines ${shown}. ` +
    'Give more of the text around the one you mean, or set replace_all to change every one.'
  );
}

/** Points at the place that agrees longest, white space aside, and at the first line that differs there. */
function notFound(text: string, wanted: string): string {
  const lines = text.split('\n');
  const wantedLines = withoutBlankEnds(wanted.split('\n'));
  const compared = wantedLines.slice(0, mostComparedLines);
  const best = longestRun(lines, compared);
  if (best.length === 0) {
    return 'old_string was not found, and no line of the file reads like its first one. Read the file again; it may have changed.';
  }
  const last = best.start + best.length;
  if (best.length === wantedLines.length) {
    return (
      `old_string was not found as it is written: the text at line ${best.start + 1} differs from it in white space. ` +
      `The file has:\n${lines
        .slice(best.start, Math.min(last, best.start + 5))
        .map(shorten)
        .join('\n')}`
    );
  }
  return (
    `old_string was not found. It begins as line ${best.start + 1} does, but differs at line ${last + 1}.\n` +
    `The file has:   ${shorten(lines[last] ?? '(end of file)')}\nold_string has: ${shorten(wantedLines[best.length] ?? '')}`
  );
}

/** Enough to find the place, and a bound on the work for a file of equal lines. */
const mostComparedLines = 200;

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => squash(line) !== '');
  const last = lines.findLastIndex((line) => squash(line) !== '');
  return first === -1 ? lines : lines.slice(first, last + 1);
}

function longestRun(lines: readonly string[], wanted: readonly string[]): { start: number; length: number } {
  const squashed = lines.map(squash);
  const target = wanted.map(squash);
  let best = { start: 0, length: 0 };
  for (let start = 0; start < lines.length; start++) {
    let length = 0;
    while (length < target.length && squashed[start + length] === target[length]) length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}

function squash(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

function shorten(line: string): string {
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
