import type { FormField } from '@codey/agent';
import { describe, expect, it } from 'vitest';
import { fieldValue, questionOf } from './form-fields.ts';

const anyLength = { minLength: 0, maxLength: Number.POSITIVE_INFINITY };
const anyNumber = { minimum: Number.NEGATIVE_INFINITY, maximum: Number.POSITIVE_INFINITY };

function field(kind: FormField['kind'], more: Partial<FormField> = {}): FormField {
  return { name: 'it', title: 'It', description: '', required: true, kind, ...more };
}

describe('a field on screen', () => {
  it.each([
    [field({ kind: 'yes-no' }), 'yes or no · required'],
    [field({ kind: 'yes-no' }, { initial: true }), 'yes or no · left empty it is Yes'],
    [field({ kind: 'number', whole: false, ...anyNumber }), 'a number · required'],
    [
      field({ kind: 'number', whole: true, minimum: 1, maximum: 10 }, { required: false }),
      'a whole number, 1 to 10 · may be left empty',
    ],
    [
      field({ kind: 'number', whole: true, ...anyNumber, minimum: 3 }),
      'a whole number, at least 3 · required',
    ],
    [field({ kind: 'text', ...anyLength }), 'text · required'],
    [field({ kind: 'text', minLength: 2, maxLength: 4 }), 'text, 2 to 4 characters · required'],
    [field({ kind: 'text', ...anyLength, format: 'email' }), 'an e-mail address · required'],
    [field({ kind: 'text', ...anyLength, pattern: '^[a-z]+$' }), 'text, fitting ^[a-z]+$ · required'],
    [field({ kind: 'one-of', choices: [{ value: 'a', label: 'A' }] }), 'one of these · required'],
    [
      field(
        { kind: 'some-of', choices: [{ value: 'a', label: 'A' }], minItems: 1, maxItems: 2 },
        { initial: ['a'] },
      ),
      'any of these, 1 to 2 · left empty it is A',
    ],
  ])('says what kind of answer it wants: %#', (asked, note) => {
    expect(questionOf(asked).note).toBe(note);
  });

  it('offers choices that read alike with what is sent for them', () => {
    const choices = [
      { value: 'eu', label: 'Default' },
      { value: 'us', label: 'Default' },
      { value: 'xx', label: 'Other' },
    ];
    const asked = field({ kind: 'one-of', choices });
    expect(questionOf(asked).options.map(({ label }) => label)).toEqual([
      'Default (eu)',
      'Default (us)',
      'Other',
    ]);
    expect(fieldValue(asked, 'Default (us)')).toBe('us');
  });
});

describe('an answer', () => {
  const some = field({
    kind: 'some-of',
    minItems: 0,
    maxItems: 9,
    choices: [
      { value: 'r', label: 'Red' },
      { value: 'rg', label: 'Red, green' },
      { value: 'b', label: 'Blue' },
    ],
  });

  it.each([
    ['one choice', 'Blue', ['b']],
    ['a choice with a comma in it', 'Red, green, Blue', ['rg', 'b']],
    ['both that begin alike', 'Red, green, Red', ['rg', 'r']],
    ['something else', 'Green', ['Green']],
  ] as const)('of several is %s', (_, text, value) => {
    expect(fieldValue(some, text)).toEqual(value);
  });

  it('that was left out is what the server suggests, or nothing', () => {
    expect(fieldValue(some, ' ')).toBeUndefined();
    expect(fieldValue({ ...some, initial: ['b'] }, '')).toEqual(['b']);
  });
});
