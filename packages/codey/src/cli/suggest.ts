// A guess at what was meant, as the end of a message.
// The engine's words alone: a mistyped flag is answered before the engine is loaded.
import { suggest } from '@codey/hooks/suggest';

/** `; did you mean --model?`, or nothing. */
export function didYouMean(
  typed: string,
  candidates: readonly string[],
  spell = (name: string) => name,
): string {
  const found = suggest(typed, candidates);
  return found === undefined ? '' : `; did you mean ${spell(found)}?`;
}
