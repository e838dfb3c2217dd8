// TypeScript in a page is copied from a file in examples/, which the compiler and a test look at.
import type { Page, Placed } from './page.ts';

/** `examples` are the texts of the files there. */
export function checkExcerpts(page: Page, examples: readonly string[]): readonly Placed[] {
  return page.blocks
    .filter(({ language }) => ['ts', 'js', 'typescript', 'javascript'].includes(language))
    .filter(({ text }) => !examples.some((example) => example.includes(text.trim())))
    .map(({ line }) => ({
      line,
      text: 'this code stands in no file of examples/; put it there with a test, and copy it from there',
    }));
}
