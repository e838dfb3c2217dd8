// What a form may ask for, and which values fit it.
import { describe, expect, it } from 'vitest';
import { checkForm } from './check-form.ts';
import { parseForm } from './form-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What is wrong with one value for one property; empty where it fits. */
function wrong(property: Schema, value: unknown): readonly string[] {
  const parsed = parseForm({ type: 'object', properties: { it: property } });
  if (parsed.kind === 'problem') throw new Error(parsed.message);
  return checkForm(parsed.form, { it: value }).map(({ message }) => message);
}

const oneOf = (...values: readonly string[]) =>
  values.map((value) => ({ const: value, title: `the ${value}` }));

it.each<[Schema, unknown, string]>([
  [{ type: 'string' }, '', ''],
  [{ type: 'string' }, 7, 'must be text'],
  [{ type: 'string' }, null, 'must be text'],
  [{ type: 'string', minLength: 2 }, '𝕏', 'must have at least 2 characters'],
  [{ type: 'string', maxLength: 1 }, '𝕏', ''],
  [{ type: 'string', format: 'email' }, 'a@b.example', ''],
  [{ type: 'string', format: 'email' }, 'a b@c', 'must be an e-mail address'],
  [{ type: 'string', format: 'uri' }, 'https://example.com/a?b', ''],
  [{ type: 'string', format: 'uri' }, 'example.com', 'must be a full address such as https://example.com'],
  [{ type: 'string', format: 'date' }, '2024-02-29', ''],
  [{ type: 'string', format: 'date' }, '2026-02-29', 'must be a date such as 2026-01-31'],
  [{ type: 'string', format: 'date-time' }, '2026-01-31T12:00:00.5+02:00', ''],
  [
    { type: 'string', format: 'date-time' },
    '2026-01-31T24:00:00Z',
    'must be a date with time such as 2026-01-31T12:00:00Z',
  ],
  [{ type: 'string', pattern: '^[A-Z]+$' }, 'ABC', ''],
  [{ type: 'string', pattern: '^[A-Z]+$' }, 'abc', 'must fit the pattern ^[A-Z]+$'],
  [{ type: 'string', pattern: '(a+)+$' }, `${'a'.repeat(50_000)}!`, 'must fit the pattern (a+)+$'],
  [{ type: 'string', pattern: '(a)\\1' }, 'aa', 'cannot be checked against the pattern (a)\\1'],
  [{ type: 'number' }, 1.5, ''],
  [{ type: 'number' }, '1.5', 'must be a number'],
  [{ type: 'number' }, Number.NaN, 'must be a number'],
  [{ type: 'integer' }, 1.5, 'must be a whole number'],
  [{ type: 'integer', minimum: 3, maximum: 5 }, 2, 'must be at least 3'],
  [{ type: 'integer', minimum: 3, maximum: 5 }, 6, 'must be at most 5'],
  [{ type: 'boolean' }, false, ''],
  [{ type: 'boolean' }, 'true', 'must be true or false'],
  [{ type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] }, 'm', ''],
  [{ type: 'string', enum: ['s', 'm'] }, 'Small', 'must be one of "s", "m"'],
  [{ type: 'string', oneOf: oneOf('s', 'm') }, 's', ''],
  [{ type: 'array', items: { enum: ['a', 'b', 'c'] } }, ['a', 'c'], ''],
  [{ type: 'array', items: { anyOf: oneOf('a', 'b') }, minItems: 1 }, [], 'needs at least 1 of them'],
  [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b'], 'takes at most 1 of them'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, ['a', 'a'], 'names a choice twice'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, 'a', 'must be a list of "a", "b"'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'x', ''],
  [{ type: ['integer', 'null'] }, 1, ''],
])('%j takes %j: %j', (property, value, message) => {
  expect(wrong(property, value)).toEqual(message === '' ? [] : [message]);
});

describe('the values of a whole form', () => {
  const parsed = parseForm({
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    required: ['name'],
  });
  const check = (values: Schema) => (parsed.kind === 'form' ? checkForm(parsed.form, values) : parsed);

  it.each<[Schema, readonly object[]]>([
    [{ name: 'a' }, []],
    [{ name: 'a', age: 3 }, []],
    [{ age: 3 }, [{ field: 'name', message: 'is missing' }]],
    [{ name: 'a', more: 1 }, [{ field: 'more', message: 'was not asked for' }]],
    [
      JSON.parse('{"__proto__": {"name": "a"}}'),
      [
        { field: 'name', message: 'is missing' },
        { field: '__proto__', message: 'was not asked for' },
      ],
    ],
  ])('%j', (values, problems) => {
    expect(check(values)).toEqual(problems);
  });
});

it('keeps what a person reads beside what is sent', () => {
  expect(
    parseForm({
      type: 'object',
      properties: {
        size: {
          type: 'string',
          title: 'Size',
          description: 'Of the shirt.',
          oneOf: oneOf('s', 'm'),
          default: 'm',
        },
      },
      required: ['size'],
    }),
  ).toEqual({
    kind: 'form',
    form: {
      fields: [
        {
          name: 'size',
          title: 'Size',
          description: 'Of the shirt.',
          required: true,
          kind: {
            kind: 'one-of',
            choices: [
              { value: 's', label: 'the s' },
              { value: 'm', label: 'the m' },
            ],
          },
          initial: 'm',
        },
      ],
    },
  });
});

it.each<[unknown, string]>([
  [undefined, 'requestedSchema must be an object'],
  [{ type: 'array' }, 'requestedSchema must be of type object'],
  [{ type: 'object', properties: [] }, 'properties must be an object'],
  [
    { type: 'object', properties: {}, required: ['a'] },
    'required names a, which is not among the properties',
  ],
  [
    { type: 'object', properties: { a: { type: 'object' } } },
    'the property a is of type object; a form can ask for strings, numbers, integers, booleans and choices',
  ],
  [
    { type: 'object', properties: { a: { $ref: 'https://example.invalid/x' } } },
    'the property a is a reference, and none is followed',
  ],
  [
    { type: 'object', properties: { a: { type: 'number', multipleOf: 2 } } },
    'the property a uses multipleOf, which a form cannot check',
  ],
  [
    { type: 'object', properties: { a: { type: 'string', format: 'ipv4' } } },
    'the property a has the format "ipv4", which is not known',
  ],
  [{ type: 'object', properties: { a: { type: 'string', enum: [1] } } }, 'the choices of a must be strings'],
  [
    { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
    'the property a may be of several kinds, which a form cannot ask for',
  ],
  [
    { type: 'object', properties: {}, patternProperties: {} },
    'requestedSchema uses patternProperties, which a form cannot check',
  ],
  [
    {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, { type: 'boolean' }])),
    },
    'there are more than 100 properties',
  ],
])('refuses %j', (schema, message) => {
  expect(parseForm(schema)).toEqual({ kind: 'problem', message });
});
