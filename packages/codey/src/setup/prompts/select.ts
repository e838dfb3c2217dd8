// One of several rows, moved through with the arrow keys; Enter takes the one that is marked.
import { cut, padTo, wrap } from './width.ts';
import type { Prompt } from './prompt.ts';

export interface Row<Value> {
  readonly value: Value;
  readonly label: string;
  /** To the right of the label: what the row stands for, a path, a fact. */
  readonly hint?: string;
}

export interface SelectOptions<Value> {
  readonly question: string;
  /** Lines of explanation under the question. */
  readonly details?: readonly string[];
  /** At least one. */
  readonly rows: readonly Row<Value>[];
  /** The row that is marked at first; the first one if no row has this value. */
  readonly marked?: Value;
}

/** Column in which hints begin, where the labels are not longer. */
const hintColumn = 43;
/** Columns a hint needs beside its label; where there are fewer it stands below. */
const narrowestHint = 24;

export function select<Value>({
  question,
  details = [],
  rows,
  marked,
}: SelectOptions<Value>): Prompt<number, Value> {
  const hintAt = Math.max(hintColumn, ...rows.map(({ label }) => [...label].length + 2));
  const at = (index: number): Row<Value> => {
    const row = rows[index];
    if (row === undefined) throw new RangeError('a question needs at least one row to choose from');
    return row;
  };
  return {
    first:
      marked === undefined
        ? 0
        : Math.max(
            0,
            rows.findIndex(({ value }) => value === marked),
          ),
    keys: '↑ ↓ move',
    draw: (index, width) => [
      ...wrap(question, width - 1).map((line) => ` ${line}`),
      ...details.flatMap((detail) => wrap(detail, width - 3).map((line) => `   ${line}`)),
      '',
      ...rows.flatMap((row, at) => drawRow(row, at === index ? ' ▌ ◆ ' : '   ◇ ', hintAt, width)),
    ],
    press(index, key) {
      switch (key.kind) {
        case 'up':
          return { kind: 'state', state: (index + rows.length - 1) % rows.length };
        case 'down':
          return { kind: 'state', state: (index + 1) % rows.length };
        case 'home':
          return { kind: 'state', state: 0 };
        case 'end':
          return { kind: 'state', state: rows.length - 1 };
        case 'left':
          return { kind: 'back' };
        case 'enter':
          return { kind: 'answer', answer: at(index).value };
        default:
          return { kind: 'state', state: index };
      }
    },
    answered: (value) => ` ${question}  ${rows.find((row) => row.value === value)?.label ?? ''}`,
  };
}

/** A hint says what is chosen: it is wrapped, never cut. */
function drawRow(
  { label, hint = '' }: Row<unknown>,
  mark: string,
  hintAt: number,
  width: number,
): readonly string[] {
  if (hint === '') return [cut(mark + label, width)];
  const beside = width - mark.length - hintAt;
  if (beside < narrowestHint && [...hint].length > beside) {
    const indent = mark.length + 2;
    const below = wrap(hint, width - indent).map((line) => ' '.repeat(indent) + line);
    return [cut(mark + label, width), ...below];
  }
  const [first = '', ...more] = wrap(hint, beside);
  return [
    mark + padTo(label, hintAt) + first,
    ...more.map((line) => ' '.repeat(mark.length + hintAt) + line),
  ];
}

export function confirm(
  question: string,
  marked: boolean,
  details?: readonly string[],
): Prompt<number, boolean> {
  return select({
    question,
    ...(details !== undefined && { details }),
    rows: [
      { value: true, label: 'yes' },
      { value: false, label: 'no' },
    ],
    marked,
  });
}
