// A line being typed, with its cursor, scrolled so that the cursor is seen.
import { sanitise } from '../../terminal/sanitise.ts';
import type { Style } from '../screen/style.ts';
import { columnsOf, cut } from '../screen/text.ts';
import type { TextField } from '../state/text-field.ts';

export function fieldLine({ text, cursor }: TextField, width: number, style: Style): string {
  const before = clean(text.slice(0, cursor));
  const [under = ' ', ...behind] = [...segmenter.segment(text.slice(cursor))].map(({ segment }) =>
    clean(segment),
  );
  const room = Math.max(1, width - columnsOf(under) - 1);
  return cut(`${tailOf(before, room)}${style.inverse(under === '' ? ' ' : under)}${behind.join('')}`, width);
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function tailOf(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  const characters = [...segmenter.segment(text)].map(({ segment }) => segment);
  let first = characters.length;
  let used = 1;
  while (first > 0 && used + columnsOf(characters[first - 1] ?? '') <= width) {
    first -= 1;
    used += columnsOf(characters[first] ?? '');
  }
  return `…${characters.slice(first).join('')}`;
}

function clean(text: string): string {
  return sanitise(text).replace(/[\n\t]/g, ' ');
}
