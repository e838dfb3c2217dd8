// Text out of files, made fit for a terminal.

/**
 * Escapes what could move the cursor, clear the screen or turn the direction of writing round: a settings file of a
 * stranger is quoted in messages before anybody has agreed to it. Cuts what is longer than anyone reads.
 */
export function printable(text: string): string {
  const cut = text.length > 500 ? `${text.slice(0, 499)}…` : text;
  return cut.replace(unprintable, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Control characters, line and paragraph separators, and the marks that reorder text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
