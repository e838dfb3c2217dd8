// How wide text is on a terminal, and how it is cut, wrapped and filled to a width.
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';

/** Columns: wide characters and emoji count two, styles none. */
export function columnsOf(text: string): number {
  return visibleWidth(text);
}

/** At most `width` columns; what is cut ends in an ellipsis. */
export function cut(text: string, width: number): string {
  return truncateToWidth(text, Math.max(0, width), '…');
}

/** Lines of at most `width` columns; every line break of the text stays one. Tabs become spaces. */
export function wrap(text: string, width: number): string[] {
  return wrapTextWithAnsi(text.replaceAll('\t', '    '), Math.max(1, width));
}

/** The same, but what is left of a line stands under its text: behind its indentation and a sign such as `+`. */
export function wrapHanging(text: string, width: number): string[] {
  return text
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((line) => hang(line, width));
}

function hang(line: string, width: number): readonly string[] {
  const [, styles = '', lead = '', rest = ''] = leadOf.exec(line) ?? [];
  const room = width - lead.length;
  // Where hardly a word fits beside the indentation it helps nobody.
  if (columnsOf(line) <= width || room < width / 2) return wrap(line, width);
  const behind = ' '.repeat(lead.length);
  return wrap(styles + rest, room).map((part, row) => (row === 0 ? lead : behind) + part);
}

/** Styles a line begins with, its indentation with a sign, the rest. */
const leadOf = /^((?:\p{Cc}\[[\d;]*m)*)( *(?:[-+~|] )?)(.*)$/u;

/** Exactly `width` columns. */
export function fill(text: string, width: number): string {
  const shown = cut(text, width);
  return shown + ' '.repeat(Math.max(0, width - columnsOf(shown)));
}

/** One line with a text at each end; the left one gives way. */
export function ends(left: string, right: string, width: number): string {
  const shownRight = cut(right, width);
  const room = width - columnsOf(shownRight);
  return (
    fill(left, Math.max(0, room - (shownRight === '' ? 0 : 1))) +
    (room > 0 && shownRight !== '' ? ' ' : '') +
    shownRight
  );
}

/**
 * The same text, for keeping: what JavaScript cuts out of a text or puts together of pieces keeps all of those alive, and two
 * bytes a letter where one of them needed that.
 */
export function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
