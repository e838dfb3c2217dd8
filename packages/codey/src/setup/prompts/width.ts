// Keeps lines within the width of the terminal: one that wraps would be drawn over when the question is drawn again.

export function cut(line: string, width: number): string {
  const characters = [...line];
  return characters.length <= width ? line : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}

/** The end of a text, where the cursor is. */
export function lastColumns(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `…${characters.slice(1 - Math.max(2, width)).join('')}`;
}
