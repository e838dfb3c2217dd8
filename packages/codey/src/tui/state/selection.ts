// Which row of a list is chosen, and which rows of it fit.

/** The chosen row after a key, or undefined for a key that moves nothing. Ends meet. */
export function moveSelection(selected: number, count: number, name: string, page = 10): number | undefined {
  if (count === 0) return undefined;
  switch (name) {
    case 'up':
    case 'ctrl+p':
      return (selected - 1 + count) % count;
    case 'down':
    case 'ctrl+n':
      return (selected + 1) % count;
    case 'pageUp':
      return Math.max(0, selected - page);
    case 'pageDown':
      return Math.min(count - 1, selected + page);
    case 'home':
      return 0;
    case 'end':
      return count - 1;
    default:
      return undefined;
  }
}

/** First row to show so that the chosen one is in the middle, or as near to it as the ends allow. */
export function firstShown(selected: number, count: number, rows: number): number {
  return Math.max(0, Math.min(selected - Math.floor(rows / 2), count - rows));
}
