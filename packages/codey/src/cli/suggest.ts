// A guess at what was meant, as the end of a message.
import { suggest } from '@codey/hooks';

/** `; did you mean --model?`, or nothing. */
export function didYouMean(
  typed: string,
  candidates: readonly string[],
  spell = (name: string) => name,
): string {
  const found = suggest(typed, candidates);
  return found === undefined ? '' : `; did you mean ${spell(found)}?`;
}
