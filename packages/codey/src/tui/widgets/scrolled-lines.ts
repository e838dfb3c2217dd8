// As many lines of a text as there is room for, and how many there are before and behind them.
import type { Style } from '../screen/style.ts';

/** Exactly `room` lines of more than that. `scroll` is the first one to show; more than there is means the end. */
export function scrolledLines(
  text: readonly string[],
  scroll: number,
  room: number,
  style: Style,
): readonly string[] {
  const rows = Math.max(1, room - 1);
  const first = Math.min(Math.max(0, scroll), Math.max(0, text.length - rows));
  const below = text.length - first - rows;
  const more = [first > 0 ? `${first} above` : '', below > 0 ? `${below} below` : '']
    .filter(Boolean)
    .join(', ');
  return [...text.slice(first, first + rows), style.yellow(`… lines not shown: ${more} · PgUp PgDn`)];
}
