// A server's input schema made fit for a model: an object at the top, nothing that points to another machine.

/** Characters of one schema as JSON. A larger one would cost more of the window than the tool is worth. */
const sizeLimit = 20_000;
const depthLimit = 40;

export function inputSchemaOf(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, $id: _id, ...local } = withoutRemote(schema, 0) as Record<string, unknown>;
  const whole = { ...local, type: 'object' };
  return JSON.stringify(whole).length <= sizeLimit ? whole : { type: 'object', description: tooLarge };
}

const tooLarge =
  'The schema of this input is too large to be shown. Give the fields that the description names.';

/** Nothing is ever fetched: what such a reference would say is left open, and the server checks its input itself. */
function withoutRemote(value: unknown, depth: number): unknown {
  if (depth > depthLimit) return {};
  if (Array.isArray(value)) return value.map((each) => withoutRemote(each, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) => !(isReference(key) && typeof inner === 'string' && !inner.startsWith('#')),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutRemote(inner, depth + 1)]));
}

function isReference(key: string): boolean {
  return key === '$ref' || key === '$dynamicRef' || key === '$recursiveRef';
}
