// The commands that `find` starts with `-exec` and its like.
import { compileGlob, escapeGlob, unknownPart } from './glob.ts';
import { maybeSeveral, maybeSplit, plainMarks, splitPart } from './marks.ts';
import { type Wrapped, wrapped } from './wrapped.ts';

export function readFind(words: readonly string[]): Wrapped {
  const commands: (readonly string[])[] = [];
  const unsure = words.filter((word) => word.includes(unknownPart) && mayStart(word)).length;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const unknown = word.includes(unknownPart);
    if (unknown ? unsure > unsureLimit || !mayStart(word) : !starters.includes(word)) continue;
    const start = at + 1;
    let end = start;
    while (end < words.length && words[end] !== ';' && !(words[end] === '+' && words[end - 1] === '{}'))
      end++;
    // A word that only may be `-exec` needs an end, and takes nothing from those behind it that are.
    if (unknown && end === words.length) continue;
    const filled = words[end] === '+' ? splitPart : unknownPart;
    commands.push(words.slice(start, end).map((part) => part.replaceAll('{}', filled)));
    if (!unknown) at = end - 1;
  }
  const open =
    unsure > unsureLimit || words.some((word) => maybeSplit(word) || (maybeSeveral(word) && mayStart(word)));
  return wrapped({
    commands: commands.filter(([name]) => name !== undefined && !name.startsWith('-')),
    transparent: false,
    doubts: open ? ['find may be given commands when it runs'] : [],
  });
}

/** How many words that may be `-exec` are each followed; a line written by hand has fewer. */
const unsureLimit = 10;

const starters = ['-exec', '-execdir', '-ok', '-okdir'];

function mayStart(word: string): boolean {
  const glob = compileGlob(plainPattern(word));
  return starters.some((starter) => glob.matches(starter));
}

/** A word as a glob, in which what is unknown may be anything. */
function plainPattern(word: string): string {
  return escapeGlob(plainMarks(word)).replaceAll(unknownPart, '*');
}
