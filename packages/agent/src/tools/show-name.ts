// Writes a file name so that it stays on its line.

/** The name itself, or a JSON string where it holds control characters or is empty. */
export function showName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return name === '' || /[\0-\x1f\x7f]/.test(name) ? JSON.stringify(name) : name;
}
