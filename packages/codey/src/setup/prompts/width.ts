// Keeps lines within the width of the terminal: one that wraps would be drawn over when the question is drawn again.

export function cut(line: string, width: number): string {
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}

/** Between words; a word that is longer than a line is cut. At least one line. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? word : `${last} ${word}`;
    if ([...longer].length <= width) lines[lines.length - 1] = longer;
    else if (last === '') lines[lines.length - 1] = cut(word, width);
    else lines.push(cut(word, width));
  }
  return lines;
}

/** The end of a text, where the cursor is. */
export function lastColumns(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `…${characters.slice(1 - Math.max(2, width)).join('')}`;
}
