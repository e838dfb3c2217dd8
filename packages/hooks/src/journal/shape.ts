// A cheap look at one parsed line: are the fields that its readers rely on there, and of the right kind?

export type FieldKind = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** Fields that are not named may hold anything. */
export type Shape = Readonly<Record<string, FieldKind>>;

/** Whether a value read from disk has the fields that a shape asks for. */
export function matchesShape(value: unknown, shape: Shape): value is Record<string, unknown> {
  if (kindOf(value) !== 'object') return false;
  const fields = value as Record<string, unknown>;
  for (const name in shape) {
    if (kindOf(fields[name]) !== shape[name]) return false;
  }
  return true;
}

function kindOf(value: unknown): FieldKind | undefined {
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return type;
    case 'object':
      return value === null ? undefined : type;
    default:
      return undefined;
  }
}
