// Checks a call's input against its tool, with a message from which a model can mend the call.
import * as v from 'valibot';
import type { Tool } from './tool.ts';
import { suggest } from '@codey/hooks';

export type Validated<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

export function validateInput<Schema extends v.GenericSchema>(
  tool: Tool<Schema>,
  input: unknown,
): Validated<v.InferOutput<Schema>> {
  // An object schema takes an array for an object without fields.
  if (Array.isArray(input))
    return { ok: false, message: `The input of ${tool.name} must be an object, not an array.` };
  const checked = v.safeParse(tool.input, input);
  if (checked.success) return { ok: true, value: checked.output };
  const known = fieldNames(tool.input);
  const findings = checked.issues.slice(0, mostFindings).map((issue) => explain(issue, known));
  const more =
    checked.issues.length > mostFindings ? [`and ${checked.issues.length - mostFindings} more`] : [];
  return {
    ok: false,
    message: `The input of ${tool.name} is not valid: ${[...findings, ...more].join('; ')}.`,
  };
}

const mostFindings = 8;

function explain(issue: v.BaseIssue<unknown>, known: readonly string[]): string {
  const path = issue.path
    ?.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('');
  const field = path?.replace(/^\./, '') ?? 'the input';
  if (issue.type === 'strict_object' && issue.expected === 'never') return unknownField(field, issue, known);
  if (issue.received === 'undefined') return `${field} is missing`;
  // Checks on a value carry a message of their own; those on its kind are said in the same words for every field.
  if (issue.kind === 'validation') return `${field} ${issue.message}`;
  return `${field} must be ${kinds[issue.type] ?? issue.expected ?? issue.type}, not ${article(issue.input)}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  strict_object: 'an object',
};

/** Suggests among the fields of the tool itself; those of nested objects are few enough to be seen in its schema. */
function unknownField(field: string, issue: v.BaseIssue<unknown>, known: readonly string[]): string {
  if ((issue.path?.length ?? 0) > 1) return `${field} is not a field`;
  const likely = suggest(field, known) ?? known.find((name) => field.endsWith(`_${name}`));
  const help = likely === undefined ? `the fields are ${known.join(', ')}` : `did you mean ${likely}?`;
  return `${field} is not a field (${help})`;
}

function fieldNames(schema: v.GenericSchema): readonly string[] {
  return 'entries' in schema ? Object.keys(schema.entries as object) : [];
}

function article(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const shown = JSON.stringify(value) ?? typeof value;
  return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
}
