// TypeScript in a page is copied from a file in examples/, which the compiler and a test look at.
import type { Page, Placed } from './page.ts';

/** `examples` are the texts of the files there. */
export function checkExcerpts(page: Page, examples: readonly string[]): readonly Placed[] {
  return page.blocks
    .filter(({ language }) => ['ts', 'js', 'typescript', 'javascript'].includes(language))
    .filter(({ text }) => !examples.some((example) => flat(example).includes(flat(text))))
    .map(({ line }) => ({
      line,
      text: 'this code stands in no file of examples/; put it there with a test, and copy it from there',
    }));
}

/** Without the indentation, which a page does not copy. */
function flat(code: string): string {
  return code
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}
