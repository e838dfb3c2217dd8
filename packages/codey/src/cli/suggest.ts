// The nearest known name to a mistyped one.

/**
 * The candidate with the fewest slips (a letter missing, added, replaced, or two swapped); undefined where more than a
 * third of the letters would be slips, because a wrong guess costs more than none.
 */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; slips: number } | undefined;
  for (const candidate of candidates) {
    const slips = countSlips(typed.toLowerCase(), candidate.toLowerCase());
    if (
      slips <= Math.max(1, Math.floor(candidate.length / 3)) &&
      (best === undefined || slips < best.slips)
    ) {
      best = { candidate, slips };
    }
  }
  return best?.candidate;
}

/** `; did you mean --model?`, or nothing. */
export function didYouMean(
  typed: string,
  candidates: readonly string[],
  spell = (name: string) => name,
): string {
  const found = nearest(typed, candidates);
  return found === undefined ? '' : `; did you mean ${spell(found)}?`;
}

/** Optimal string alignment distance, row by row. */
function countSlips(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      const options = [
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      ];
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) options.push(at(beforeLast, column - 2) + 1);
      current.push(Math.min(...options));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
