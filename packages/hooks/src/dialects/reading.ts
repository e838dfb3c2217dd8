// Reads single fields of an answer: what does not fit is noted, so that one bad field does not hide a deny beside it.
import type { ElicitationAnswer } from '../policy/decision.ts';

/** An object as it came out of JSON, nothing of it checked. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Reading {
  /** Known fields with a value they cannot have. */
  readonly problems: string[];
  /** Fields that were understood and have no effect here. */
  readonly notes: string[];
}

export function readString(fields: Fields, key: string, reading: Reading): string | undefined {
  const value = fields[key];
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  reading.problems.push(`${key} is ${show(value)}; it must be a string`);
  return undefined;
}

export function readBoolean(fields: Fields, key: string, reading: Reading): boolean | undefined {
  const value = fields[key];
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? undefined;
  reading.problems.push(`${key} is ${show(value)}; it must be true or false`);
  return undefined;
}

export function readObject(fields: Fields, key: string, reading: Reading): Fields | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && !Array.isArray(value)) return value as Fields;
  reading.problems.push(`${key} is ${show(value)}; it must be an object`);
  return undefined;
}

export function readPaths(fields: Fields, key: string, reading: Reading): readonly string[] | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')) return value;
  reading.problems.push(`${key} is ${show(value)}; it must be a list of paths`);
  return undefined;
}

/** What a hook answers to a form, as every format spells it. */
export function readElicitation(fields: Fields, reading: Reading): ElicitationAnswer | undefined {
  const content = readObject(fields, 'content', reading);
  switch (fields.action) {
    case undefined:
      return undefined;
    case 'accept':
      return { action: 'accept', ...(content !== undefined && { content }) };
    case 'decline':
    case 'cancel':
      return { action: fields.action };
    default:
      reading.problems.push(`action is ${show(fields.action)}; it can be "accept", "decline" or "cancel"`);
      return undefined;
  }
}

/** A value as it can stand in a sentence. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
