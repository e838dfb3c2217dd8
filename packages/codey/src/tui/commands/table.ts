// Two columns as a code block: text that stays as it is at every width of the screen.
import { columnsOf } from '../screen/text.ts';

export function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([left]) => columnsOf(left)));
  return codeBlock(
    rows.map(([left, right]) => `${left}${' '.repeat(width - columnsOf(left))}  ${right}`).join('\n'),
  );
}

/** The fence is longer than any in the text. */
export function codeBlock(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
