// What a value in a settings file may look like. One shape both checks the file and describes itself to an editor.
import { type Node, properties, plainValue } from './document.ts';
import type { Area, Findings } from './findings.ts';
import { didYouMean } from './suggest.ts';

/** The part of JSON Schema (draft 7) that settings need. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Shape<T> {
  readonly schema: JsonSchema;
  /** The value, or undefined after every problem with it was reported. `label` is how messages call it. */
  parse(node: Node, label: string, context: ShapeContext): T | undefined;
}

export interface ShapeContext {
  readonly findings: Findings;
  readonly area: Area;
}

/** What is wrong with a value of the right type. */
export interface Complaint {
  /** Goes on after what the value is called: `must be …`. It does not repeat the value, which may be a secret. */
  readonly message: string;
  readonly hint?: string;
}

export function flag(description: string): Shape<boolean> {
  return {
    schema: { type: 'boolean', description },
    parse(node, label, context) {
      if (node.type === 'boolean') return node.value;
      const meant = node.value === 'true' || node.value === 'false';
      return wrongType(
        node,
        label,
        'true or false',
        context,
        meant ? `write ${node.value} without quotes` : undefined,
      );
    },
  };
}

interface TextOptions {
  readonly description: string;
  /** Lets the empty string pass. */
  readonly empty?: boolean;
  /** More keywords for editors, such as `examples` or `pattern`. */
  readonly schema?: JsonSchema;
  readonly check?: (text: string) => Complaint | undefined;
}

export function text(options: TextOptions): Shape<string> {
  const { description, empty = false, check } = options;
  return {
    schema: { type: 'string', ...(empty ? {} : { minLength: 1 }), ...options.schema, description },
    parse(node, label, context) {
      if (node.type !== 'string') {
        const scalar = node.type === 'number' || node.type === 'boolean';
        const hint = scalar ? 'put it in double quotes' : undefined;
        return wrongType(node, label, empty ? 'a string' : 'a non-empty string', context, hint);
      }
      const value: string = node.value;
      const complaint = !empty && value.trim() === '' ? { message: 'is empty' } : check?.(value);
      if (complaint === undefined) return value;
      context.findings.problem(context.area, node, `${label} ${complaint.message}`, complaint.hint);
      return undefined;
    },
  };
}

export function choice<const T extends string>(description: string, values: readonly T[]): Shape<T> {
  return {
    schema: { enum: values, description },
    parse(node, label, context) {
      const found = values.find((value) => value === node.value);
      if (found !== undefined) return found;
      const written = node.type === 'string' ? JSON.stringify(shorten(node.value)) : describe(node);
      const hint = node.type === 'string' ? didYouMean(node.value, values) : undefined;
      context.findings.problem(
        context.area,
        node,
        `${label} must be ${oneOf(values.map((value) => `"${value}"`))}, not ${written}`,
        hint,
      );
      return undefined;
    },
  };
}

/** Items with a problem are left out; their neighbours are still checked. */
export function list<T>(description: string, item: Shape<T>): Shape<readonly T[]> {
  return {
    schema: { type: 'array', items: item.schema, description },
    parse(node, label, context) {
      if (node.type !== 'array') {
        const hint = node.type === 'string' ? `write [${JSON.stringify(shorten(node.value))}]` : undefined;
        return wrongType(node, label, 'a list', context, hint);
      }
      return (node.children ?? []).flatMap((child, index) => {
        const value = item.parse(child, `entry ${index + 1} of ${label}`, context);
        return value === undefined ? [] : [value];
      });
    },
  };
}

interface RecordOptions {
  readonly description: string;
  /** What keys must look like. */
  readonly key?: (key: string) => Complaint | undefined;
}

/** Names of the user's choice, each with a value of one shape. */
export function record<T>(options: RecordOptions, value: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    schema: { type: 'object', additionalProperties: value.schema, description: options.description },
    parse(node, label, context) {
      if (node.type !== 'object') return wrongType(node, label, 'an object', context);
      const entries = properties(node).flatMap((property) => {
        const complaint = options.key?.(property.key);
        if (complaint !== undefined) {
          const name = `the key ${JSON.stringify(shorten(property.key))} in ${label}`;
          context.findings.problem(
            context.area,
            property.keyNode,
            `${name} ${complaint.message}`,
            complaint.hint,
          );
          return [];
        }
        const parsed = value.parse(property.value, `"${property.key}" in ${label}`, context);
        return parsed === undefined ? [] : [[property.key, parsed] as const];
      });
      return Object.fromEntries(entries);
    },
  };
}

/** An object whose keys are known. */
export type Fields = { readonly [key: string]: Shape<unknown> };

export type FieldValues<F extends Fields> = {
  readonly [K in keyof F]?: F[K] extends Shape<infer T> ? T : never;
};

interface ObjectOptions {
  readonly description: string;
  /** Unknown keys are refused where they could be a guard that never runs, and pointed out elsewhere. */
  readonly unknown: 'problem' | 'warning';
}

export function object<const F extends Fields>(options: ObjectOptions, fields: F): Shape<FieldValues<F>> {
  const schemas = Object.fromEntries(Object.entries(fields).map(([key, shape]) => [key, shape.schema]));
  return {
    schema: {
      type: 'object',
      properties: schemas,
      ...(options.unknown === 'problem' ? { additionalProperties: false } : {}),
      description: options.description,
    },
    parse(node, label, context) {
      if (node.type !== 'object') return wrongType(node, label, 'an object', context);
      const entries = properties(node).flatMap(({ key, keyNode, value }) => {
        const shape = Object.hasOwn(fields, key) ? fields[key] : undefined;
        if (shape === undefined) {
          const hint = didYouMean(key, Object.keys(fields));
          context.findings[options.unknown](context.area, keyNode, `unknown key "${key}" in ${label}`, hint);
          return [];
        }
        const parsed = shape.parse(value, `"${key}"`, context);
        return parsed === undefined ? [] : [[key, parsed] as const];
      });
      return Object.fromEntries(entries) as FieldValues<F>;
    },
  };
}

/** Settings of somebody else's making, such as those of an MCP server: kept as they are. */
export function anyObject(description: string): Shape<Readonly<Record<string, unknown>>> {
  return {
    schema: { type: 'object', description },
    parse(node, label, context) {
      if (node.type !== 'object') return wrongType(node, label, 'an object', context);
      return plainValue(node) as Readonly<Record<string, unknown>>;
    },
  };
}

/** The same shape, giving another value. */
export function mapped<T, U>(shape: Shape<T>, change: (value: T) => U): Shape<U> {
  return {
    schema: shape.schema,
    parse(node, label, context) {
      const value = shape.parse(node, label, context);
      return value === undefined ? undefined : change(value);
    },
  };
}

/** Reports a value of the wrong type. The value itself is not repeated, since it may be a secret. */
export function wrongType(
  node: Node,
  label: string,
  expected: string,
  context: ShapeContext,
  hint?: string,
): undefined {
  context.findings.problem(context.area, node, `${label} must be ${expected}, not ${describe(node)}`, hint);
}

export function describe(node: Node): string {
  switch (node.type) {
    case 'object':
      return 'an object';
    case 'array':
      return 'a list';
    case 'string':
      return node.value === '' ? 'an empty string' : 'a string';
    case 'number':
      return 'a number';
    default:
      return String(node.value);
  }
}

/** `a, b or c`. */
export function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Text short enough to be repeated in a message. */
export function shorten(value: string): string {
  return value.length > 60 ? `${value.slice(0, 59)}…` : value;
}
