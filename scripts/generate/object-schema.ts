// Turns a valibot object into JSON Schema with the few keywords our schemas use.
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly title?: string;
  readonly examples?: readonly unknown[];
}

export interface JsonObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

export function objectSchema(schema: v.ObjectSchema<v.ObjectEntries, undefined>): JsonObjectSchema {
  // `readonly` is a promise of our types; JSON Schema has no word for it.
  return toJsonSchema(schema, { ignoreActions: ['readonly'] }) as JsonObjectSchema;
}

export interface Field {
  /** `usage.input_tokens` for a field within a field. */
  readonly path: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** Every field in its order; one that is an object known field by field is followed by its fields. */
export function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    { path: prefix + name, schema: field, required: schema.required?.includes(name) ?? false },
    ...fieldsOf(field, `${prefix}${name}.`),
  ]);
}
