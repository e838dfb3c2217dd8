// Names with what they mean, side by side: on a narrow screen the meanings wrap within their column.
import { columnsOf, wrap } from '../screen/text.ts';

/** Marks a code block of Markdown as rows of these, a tab between the columns. */
export const twoColumns = 'columns';

/** A name that would leave too little room for meanings stands alone above its own. */
export function twoColumnLines(text: string, width: number): readonly string[] {
  const rows = text.split('\n').map((line) => {
    const [name = '', ...meaning] = line.split('\t');
    return [name, meaning.join(' ')] as const;
  });
  const limit = Math.max(12, Math.floor(width * 0.4));
  const lengths = rows.map(([name]) => columnsOf(name)).filter((length) => length <= limit);
  const left = Math.max(0, ...lengths);
  const behind = ' '.repeat(left + 2);
  return rows.flatMap(([name, meaning]) => {
    const meanings = wrap(meaning, Math.max(8, width - left - 2));
    if (columnsOf(name) > left) return [...wrap(name, width), ...meanings.map((line) => behind + line)];
    const [first = '', ...rest] = meanings;
    const head = `${name}${' '.repeat(left - columnsOf(name))}  ${first}`;
    return [head.trimEnd(), ...rest.map((line) => behind + line)];
  });
}
