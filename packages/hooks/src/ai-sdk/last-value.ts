// What a tool came to that may give several values on its way.

/** The last value of a stream, anything else as it is. */
export async function lastValue(output: unknown): Promise<unknown> {
  if (!isStream(output)) return output;
  let last: unknown;
  for await (const value of output) last = value;
  return last;
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
