// Finds the JSON answer in what a hook printed.
import { lastAnswerIn, parseObject } from '../answer-in-text.ts';
import type { Fields } from '../reading.ts';

export type Printed =
  | { readonly kind: 'object'; readonly object: Fields }
  | { readonly kind: 'text'; readonly text: string }
  /** An answer among other text, or half of one. `object` is the last that could be read. */
  | { readonly kind: 'mixed'; readonly message: string; readonly object: Fields };

/**
 * The whole of stdout must be the object. One among other text, behind the greeting of a shell profile for instance, may
 * as well be something the hook only quotes: it is marked as mixed, so that a refusal in it counts and nothing else.
 */
export function readPrinted(stdout: string): Printed {
  const text = stdout.trim();
  const whole = parseObject(text);
  if (whole !== undefined) return { kind: 'object', object: whole };
  const object = lastAnswerIn(text);
  if (object !== undefined) {
    const message = 'stdout holds other text beside its JSON answer; print the JSON alone';
    return { kind: 'mixed', message, object };
  }
  if (!text.startsWith('{') || text.split('\n').every((line) => parseObject(line.trim()) !== undefined)) {
    return { kind: 'text', text };
  }
  return { kind: 'mixed', message: 'stdout starts with { but is not JSON', object: {} };
}
