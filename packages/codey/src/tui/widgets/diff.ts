// The difference of two texts as signed lines; signs carry the meaning, colours repeat it.
import { structuredPatch } from 'diff';
import type { Style } from '../screen/style.ts';
import { wrap } from '../screen/text.ts';

export interface DiffOptions {
  /** Whether line numbers mean something: both texts are whole files. */
  readonly numbered: boolean;
  readonly width: number;
  readonly style: Style;
}

/** Beyond so many differing lines the shortest difference is not looked for. */
const mostEdits = 2_000;

export function diffLines(
  before: string,
  after: string,
  { numbered, width, style }: DiffOptions,
): readonly string[] {
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: 3,
    maxEditLength: mostEdits,
  });
  if (patch === undefined)
    return [style.dim('Too different to compare line by line; the new text:'), ...wrap(after, width)];
  if (patch.hunks.length === 0) return [style.dim('no difference')];
  const digits = numbered ? String(patch.hunks.at(-1)?.newStart ?? 0).length + 1 : 0;
  return patch.hunks.flatMap((hunk, index) => {
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    const lines = hunk.lines.flatMap((line) => {
      const sign = line[0] ?? ' ';
      if (sign === '\\') return [style.dim('  no line break at the end of the file')];
      const number = sign === '-' ? oldLine : newLine;
      if (sign !== '+') oldLine += 1;
      if (sign !== '-') newLine += 1;
      return signedLine(sign, line.slice(1), numbered ? String(number).padStart(digits) : '', width, style);
    });
    return index === 0 ? lines : [style.dim('…'), ...lines];
  });
}

function signedLine(
  sign: string,
  text: string,
  number: string,
  width: number,
  style: Style,
): readonly string[] {
  const paint = sign === '+' ? style.green : sign === '-' ? style.red : (plain: string) => plain;
  const margin = number === '' ? '' : `${number} `;
  return wrap(text, width - margin.length - 2).map((part, row) =>
    row === 0
      ? `${style.dim(margin)}${paint(`${sign} ${part}`)}`
      : `${' '.repeat(margin.length)}${paint(`  ${part}`)}`,
  );
}
