// Input fields that several tools have in common.
import * as v from 'valibot';

/** @param description for the model */
export function pathField(description: string) {
  return v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.description(description));
}

export function textField(description: string) {
  return v.pipe(v.string(), v.description(description));
}

export function flagField(description: string) {
  return v.pipe(v.boolean(), v.description(description));
}

/** A whole number of `least` to `most`. */
export function numberField(least: number, most: number, description: string) {
  const message = `must be a whole number from ${least} to ${most}`;
  return v.pipe(
    v.number(),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most, message),
    v.description(description),
  );
}
