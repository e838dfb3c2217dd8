import { isObject } from '@codey/hooks';
// What a server wants to know, as fields a person can fill in.

export interface Form {
  readonly fields: readonly FormField[];
}

export interface FormField {
  /** Key of its value in the answer. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly kind: FieldKind;
  /** What the server suggests; it fits the field. */
  readonly initial?: unknown;
}

export type FieldKind =
  | {
      readonly kind: 'text';
      readonly minLength: number;
      readonly maxLength: number;
      readonly format?: TextFormat;
      readonly pattern?: string;
    }
  | { readonly kind: 'number'; readonly whole: boolean; readonly minimum: number; readonly maximum: number }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'one-of'; readonly choices: readonly Choice[] }
  | {
      readonly kind: 'some-of';
      readonly choices: readonly Choice[];
      readonly minItems: number;
      readonly maxItems: number;
    };

export interface Choice {
  readonly value: string;
  /** What the person reads. */
  readonly label: string;
}

export const textFormats = ['email', 'uri', 'date', 'date-time'] as const;
export type TextFormat = (typeof textFormats)[number];

export type ParsedForm =
  | { readonly kind: 'form'; readonly form: Form }
  /** `message` goes back to the server: which part of its schema is not understood. */
  | { readonly kind: 'problem'; readonly message: string };

/** A person should not be asked more at once. */
const mostFields = 100;

/**
 * Pure. Knows the flat schemas that the protocol allows, and nothing beyond: an answer must be checked by all of what the
 * server asked for, so a keyword that is not understood is refused. References are never followed.
 */
export function parseForm(schema: unknown): ParsedForm {
  try {
    return { kind: 'form', form: { fields: parseFields(schema) } };
  } catch (error) {
    if (error instanceof SchemaError) return { kind: 'problem', message: error.message };
    throw error;
  }
}

/** Internal: leaves the nested readers with the one sentence that says what is wrong. */
class SchemaError extends Error {}

type Schema = Readonly<Record<string, unknown>>;

function parseFields(schema: unknown): readonly FormField[] {
  if (!isObject(schema)) throw new SchemaError('requestedSchema must be an object');
  allowKeys(
    schema,
    ['type', 'properties', 'required', 'title', 'description', '$schema', 'additionalProperties'],
    'requestedSchema',
  );
  if (schema.type !== 'object') throw new SchemaError('requestedSchema must be of type object');
  const { properties = {}, required = [] } = schema;
  if (!isObject(properties)) throw new SchemaError('properties must be an object');
  if (!isTexts(required)) throw new SchemaError('required must be a list of names');
  const unknown = required.find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined)
    throw new SchemaError(`required names ${unknown}, which is not among the properties`);
  const entries = Object.entries(properties);
  if (entries.length > mostFields) throw new SchemaError(`there are more than ${mostFields} properties`);
  return entries.map(([name, property]) => parseField(name, property, required.includes(name)));
}

function parseField(name: string, property: unknown, required: boolean): FormField {
  if (!isObject(property)) throw new SchemaError(`the property ${name} must be an object`);
  const { default: initial } = property;
  return {
    name,
    title: text(property.title) || name,
    description: text(property.description),
    required,
    kind: parseKind(name, property),
    ...(initial !== undefined && initial !== null && { initial }),
  };
}

const notes = ['title', 'description', 'default', 'examples', 'deprecated'];

function parseKind(name: string, property: Schema): FieldKind {
  const allow = (...keys: readonly string[]): void =>
    allowKeys(property, [...notes, ...keys], `the property ${name}`);
  if (property.$ref !== undefined)
    throw new SchemaError(`the property ${name} is a reference, and none is followed`);
  if (property.anyOf !== undefined && property.type === undefined) {
    allow('anyOf');
    return parseKind(name, withoutNull(name, property.anyOf));
  }
  const type = Array.isArray(property.type) ? property.type.find((one) => one !== 'null') : property.type;
  const choices = choicesOf(name, property);
  if (choices !== undefined) {
    allow('type', 'enum', 'enumNames', 'oneOf', 'const');
    if (type !== undefined && type !== 'string')
      throw new SchemaError(`the choices of ${name} must be strings`);
    return { kind: 'one-of', choices };
  }
  switch (type) {
    case 'string': {
      allow('type', 'minLength', 'maxLength', 'format', 'pattern');
      const { format, pattern } = property;
      if (format !== undefined && !isFormat(format))
        throw new SchemaError(
          `the property ${name} has the format ${JSON.stringify(format)}, which is not known`,
        );
      if (pattern !== undefined && typeof pattern !== 'string')
        throw new SchemaError(`the pattern of ${name} must be a string`);
      return {
        kind: 'text',
        minLength: number(name, property, 'minLength') ?? 0,
        maxLength: number(name, property, 'maxLength') ?? Number.POSITIVE_INFINITY,
        ...(format !== undefined && { format }),
        ...(pattern !== undefined && { pattern }),
      };
    }
    case 'number':
    case 'integer':
      allow('type', 'minimum', 'maximum');
      return {
        kind: 'number',
        whole: type === 'integer',
        minimum: number(name, property, 'minimum') ?? Number.NEGATIVE_INFINITY,
        maximum: number(name, property, 'maximum') ?? Number.POSITIVE_INFINITY,
      };
    case 'boolean':
      allow('type');
      return { kind: 'yes-no' };
    case 'array': {
      allow('type', 'items', 'minItems', 'maxItems', 'uniqueItems');
      const items = isObject(property.items) ? property.items : {};
      const listed = choicesOf(name, { ...items, oneOf: items.oneOf ?? items.anyOf });
      if (listed === undefined) throw new SchemaError(`the items of ${name} must be a list of choices`);
      return {
        kind: 'some-of',
        choices: listed,
        minItems: number(name, property, 'minItems') ?? 0,
        maxItems: number(name, property, 'maxItems') ?? Number.POSITIVE_INFINITY,
      };
    }
    default:
      throw new SchemaError(
        `the property ${name} is of type ${String(type)}; a form can ask for strings, numbers, integers, booleans and choices`,
      );
  }
}

/** `null` beside one other schema is how some servers say that a value may be left out. */
function withoutNull(name: string, options: unknown): Schema {
  const others = Array.isArray(options)
    ? options.filter((option): option is Schema => isObject(option) && option.type !== 'null')
    : [];
  const [only, ...more] = others;
  if (only === undefined || more.length > 0)
    throw new SchemaError(`the property ${name} may be of several kinds, which a form cannot ask for`);
  return only;
}

/** The two ways to write choices: a list of values, or one of constants with titles. */
function choicesOf(name: string, schema: Schema): readonly Choice[] | undefined {
  const { enum: values, enumNames, oneOf } = schema;
  if (values !== undefined) {
    if (!isTexts(values)) throw new SchemaError(`the choices of ${name} must be strings`);
    const labels = isTexts(enumNames) ? enumNames : [];
    return values.map((value, index) => ({ value, label: labels[index] ?? value }));
  }
  if (oneOf === undefined) return undefined;
  if (!Array.isArray(oneOf)) throw new SchemaError(`oneOf of ${name} must be a list`);
  return oneOf.map((option: unknown) => {
    if (!isObject(option) || typeof option.const !== 'string')
      throw new SchemaError(`the choices of ${name} must be constants`);
    return { value: option.const, label: text(option.title) || option.const };
  });
}

function allowKeys(schema: Schema, keys: readonly string[], what: string): void {
  const unknown = Object.keys(schema).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new SchemaError(`${what} uses ${unknown}, which a form cannot check`);
}

function number(name: string, schema: Schema, key: string): number | undefined {
  const value = schema[key];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || Number.isNaN(value))
    throw new SchemaError(`${key} of ${name} must be a number`);
  return value;
}

function isFormat(value: unknown): value is TextFormat {
  return (textFormats as readonly unknown[]).includes(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
