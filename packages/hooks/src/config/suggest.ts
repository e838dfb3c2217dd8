// What somebody probably meant to write.

/**
 * The candidate nearest to the word, if any is near: the same letters in another case or with other separators first
 * (`pre_tool_use` for `PreToolUse`), else the fewest slips of the finger, else the first that begins so (`PreTool`). Several
 * equally near: the first one.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > 64) return undefined;
  const plainWord = plain(word);
  let longer: string | undefined;
  const allowed = Math.max(1, Math.floor(plainWord.length / 3));
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(plainWord, plain(candidate));
    if (distance <= allowed && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { candidate, distance };
    if (plainWord.length >= shortestBeginning && plain(candidate).startsWith(plainWord)) longer ??= candidate;
  }
  return best?.candidate ?? longer;
}

/** Fewer letters begin too many words. */
const shortestBeginning = 4;

/** The suggestion as the words that stand in brackets behind a problem. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const found = suggest(word, candidates);
  return found === undefined ? undefined : `did you mean "${found}"?`;
}

/** Whether the words differ in nothing but case and separators. */
export function sameLetters(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '');
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(one: string, other: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      const swapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
        swapped ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, other.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
