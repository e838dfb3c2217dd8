// Values for fuzzing: whatever a file, a hook or a line could hold, mostly close to what is right.
import fc from 'fast-check';

/** Text of any kind: control characters, lone surrogates, the marks that turn writing round. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.string({ unit: fc.constantFrom('\0', '\x1b[2J', '\u202e', '\ud800', '\n', '\r', '"', '\\', '{', '}') }),
);

/** Any JSON value, in which the given words turn up as keys and texts far more often than by chance. */
export function jsonOf(keys: readonly string[], texts: readonly string[]): fc.Arbitrary<unknown> {
  const key = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...keys) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', '') },
    { weight: 1, arbitrary: anyText },
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.oneof(
        fc.constantFrom<unknown>(...texts),
        fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1e308, 0.5),
        anyText,
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    ),
  }));
  return value;
}

/** A text with up to three pieces taken out, put in or put elsewhere. */
export function mangled(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(8), anyText);
  return fc.tuple(text, fc.array(change, { maxLength: 3 })).map(([whole, changes]) =>
    changes.reduce((now, [where, taken, put]) => {
      const at = Math.floor(where * now.length);
      return now.slice(0, at) + put.slice(0, 12) + now.slice(at + taken);
    }, whole),
  );
}

/** An object of these fields: each may be missing, and one in ten holds anything. */
export function almost(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  const slipping = Object.fromEntries(
    Object.entries(fields).map(([key, right]) => [
      key,
      fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: anyJson }),
    ]),
  );
  return fc.record(slipping, { requiredKeys: [] });
}

const anyJson = jsonOf(['a', 'b'], ['x']);
