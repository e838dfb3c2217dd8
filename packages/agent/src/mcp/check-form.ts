// Whether the values of a form are what its server asked for.
import { RE2JS } from 're2js';
import type { FieldKind, Form, FormField, TextFormat } from './form-schema.ts';

export interface FormProblem {
  readonly field: string;
  /** Goes on after the field's name: `must be a whole number`. */
  readonly message: string;
}

export type FormValues = Readonly<Record<string, unknown>>;

/** Pure; empty where the values may be sent. Values that the form does not ask for are problems too. */
export function checkForm(form: Form, values: FormValues): readonly FormProblem[] {
  const known = new Set(form.fields.map(({ name }) => name));
  const unasked = Object.keys(values).filter((name) => !known.has(name));
  return [
    ...form.fields.flatMap((field) => {
      const message = checkField(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined);
      return message === undefined ? [] : [{ field: field.name, message }];
    }),
    ...unasked.map((field) => ({ field, message: 'was not asked for' })),
  ];
}

/** Undefined where the value is fine, or missing and not required. */
export function checkField({ kind, required }: FormField, value: unknown): string | undefined {
  if (value === undefined) return required ? 'is missing' : undefined;
  return checkValue(kind, value);
}

function checkValue(kind: FieldKind, value: unknown): string | undefined {
  switch (kind.kind) {
    case 'yes-no':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'number':
      return checkNumber(kind, value);
    case 'one-of':
      return isChoice(kind, value) ? undefined : `must be one of ${sayChoices(kind)}`;
    case 'some-of':
      return checkList(kind, value);
    case 'text':
      return checkText(kind, value);
  }
}

function checkNumber(kind: Extract<FieldKind, { kind: 'number' }>, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (kind.whole && !Number.isInteger(value)) return 'must be a whole number';
  if (value < kind.minimum) return `must be at least ${kind.minimum}`;
  return value > kind.maximum ? `must be at most ${kind.maximum}` : undefined;
}

function checkList(kind: Extract<FieldKind, { kind: 'some-of' }>, value: unknown): string | undefined {
  if (!Array.isArray(value) || !value.every((each) => isChoice(kind, each)))
    return `must be a list of ${sayChoices(kind)}`;
  if (new Set(value).size < value.length) return 'names a choice twice';
  if (value.length < kind.minItems) return `needs at least ${kind.minItems} of them`;
  return value.length > kind.maxItems ? `takes at most ${kind.maxItems} of them` : undefined;
}

function checkText(kind: Extract<FieldKind, { kind: 'text' }>, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be text';
  const length = [...value].length;
  if (length < kind.minLength) return `must have at least ${kind.minLength} characters`;
  if (length > kind.maxLength) return `must have at most ${kind.maxLength} characters`;
  if (kind.format !== undefined && !fitsFormat(kind.format, value))
    return `must be ${formatNames[kind.format]}`;
  return kind.pattern === undefined ? undefined : checkPattern(kind.pattern, value);
}

/** In linear time whatever the server writes; a pattern that needs more is one we cannot answer for. */
function checkPattern(pattern: string, value: string): string | undefined {
  try {
    return RE2JS.compile(pattern).matcher(value).find() ? undefined : `must fit the pattern ${pattern}`;
  } catch {
    return `cannot be checked against the pattern ${pattern}`;
  }
}

const formatNames: Readonly<Record<TextFormat, string>> = {
  email: 'an e-mail address',
  uri: 'a full address such as https://example.com',
  date: 'a date such as 2026-01-31',
  'date-time': 'a date with time such as 2026-01-31T12:00:00Z',
};

function fitsFormat(format: TextFormat, value: string): boolean {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(value);
    case 'uri':
      return /^[a-z][a-z0-9+.-]*:/i.test(value) && URL.canParse(value);
    case 'date':
      return isDate(value);
    case 'date-time': {
      const match =
        /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.exec(
          value,
        );
      return isDate(match?.[1] ?? '');
    }
  }
}

/** A day that is in the calendar. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

type Choosing = Extract<FieldKind, { choices: readonly unknown[] }>;

function isChoice({ choices }: Choosing, value: unknown): boolean {
  return choices.some((choice) => choice.value === value);
}

function sayChoices({ choices }: Choosing): string {
  return choices.map(({ value }) => JSON.stringify(value)).join(', ');
}
