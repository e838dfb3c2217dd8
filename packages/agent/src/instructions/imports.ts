// Which other files a file of instructions imports.

/**
 * Paths in the order in which they stand. An import is a line of its own, `@docs/style.md`; in a code block it is an
 * example, and in the middle of a sentence it may be somebody's name.
 */
export function importsOf(text: string): readonly string[] {
  const found: string[] = [];
  let fence = '';
  for (const line of text.split(/\r?\n/)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') {
      fence = mark;
      const imported = /^\s{0,3}@([^\s@]\S*)\s*$/.exec(line)?.[1];
      if (imported !== undefined) found.push(imported);
    } else if (mark.startsWith(fence)) fence = '';
  }
  return found;
}
