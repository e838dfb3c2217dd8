// Puts matching lines and the lines around them together, until there are enough.
import { flagCut } from './cut-line.ts';
import { count, outputCap } from './output.ts';

export interface GrepOutput {
  startFile(name: string): void;
  /** @param matches indexes into `lines`, ascending; batches of one file follow each other */
  add(lines: readonly string[], matches: readonly number[]): void;
  /** The current file could not be read. */
  unreadable(): void;
  /** Whether more would not be shown. */
  full(): boolean;
  text(notes: readonly string[]): string;
}

/** @param around lines shown before and after each match */
export function createGrepOutput(around: number): GrepOutput {
  const shown: string[] = [];
  let size = 0;
  let found = 0;
  let cut = false;
  let failures = 0;
  let file = '';
  /** Of the current file: lines in earlier batches, the last of them, the last one shown, how many are still due. */
  let before = 0;
  let recent: readonly string[] = [];
  let lastShown = 0;
  let due = 0;

  function show(number: number, line: string, mark: ':' | '-'): void {
    if (cut || number <= lastShown) return;
    const gap = around > 0 && shown.length > 0 && number !== lastShown + 1;
    const text = `${gap ? '--\n' : ''}${file}${mark}${number}${mark} ${flagCut(line.replace(/\r$/, ''), longestShown)}`;
    if (size + text.length > outputCap) {
      cut = true;
      return;
    }
    shown.push(text);
    size += text.length + 1;
    lastShown = number;
  }

  function showBefore(index: number, lines: readonly string[]): void {
    for (let back = around; back > 0; back--) {
      const line = index - back < 0 ? recent.at(index - back) : lines[index - back];
      if (line !== undefined && before + index - back >= 0) show(before + index - back + 1, line, '-');
    }
  }

  function showAfter(from: number, to: number, lines: readonly string[]): void {
    for (let index = from; index < to && due > 0; index++, due--)
      show(before + index + 1, lines[index] ?? '', '-');
  }

  return {
    startFile(name) {
      file = name;
      before = 0;
      recent = [];
      lastShown = 0;
      due = 0;
    },
    add(lines, matches) {
      let next = 0;
      for (const match of matches) {
        showAfter(next, match, lines);
        if (found === mostMatches) cut = true;
        if (cut) return;
        showBefore(match, lines);
        show(before + match + 1, lines[match] ?? '', ':');
        found += 1;
        due = around;
        next = match + 1;
      }
      showAfter(next, lines.length, lines);
      recent = around === 0 ? [] : [...recent, ...lines.slice(-around)].slice(-around);
      before += lines.length;
    },
    unreadable() {
      failures += 1;
    },
    full: () => cut,
    text(notes) {
      const all = [
        ...(found === 0 ? ['No line matches.'] : []),
        ...(cut ? [`There are more matches than the ${count(found, 'line')} shown; narrow the search.`] : []),
        ...(failures > 0 ? [`${count(failures, 'file')} could not be read.`] : []),
        ...notes,
      ];
      return [...shown, ...(all.length > 0 ? [`[${all.join(' ')}]`] : [])].join('\n');
    },
  };
}

const mostMatches = 200;
const longestShown = 500;
