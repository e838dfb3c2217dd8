// JSON that is as safe on a terminal as it is in a pipe.

/**
 * What a terminal would act on, or what hides text, is written as an escape: `"\u009b"` is the same string to whoever
 * parses it. `indent` as for `JSON.stringify`.
 */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(unprintable, escaped);
}

/** C1 controls, and characters of format: bidirectional controls, those without a shape, tags. Line breaks are JSON's own. */
const unprintable = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu;

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
