// Two columns as a block of Markdown, which the screen lays out by its width.
import { twoColumns } from '../widgets/two-columns.ts';

export function table(rows: readonly (readonly [string, string])[]): string {
  const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
  return codeBlock(
    rows.map(([name, meaning]) => `${oneLine(name)}\t${oneLine(meaning)}`).join('\n'),
    twoColumns,
  );
}

/** The fence is longer than any in the text. */
export function codeBlock(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
