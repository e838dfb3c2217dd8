// One wire format: how an answer is streamed in it, how it fails, and what a well-formed request is.
import type { WireTurn } from './story.ts';

export interface RequestToCheck {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON. */
  readonly body: Json;
}

export type Json = { readonly [key: string]: unknown };

export interface WireFormat {
  /** The whole stream as server-sent events, each with its empty line. `answer` is unique on its server. */
  events(turn: WireTurn, answer: number): string[];
  /** Body of an error answer. */
  errorBody(status: number, type: string | undefined, message: string): unknown;
  errorEvent(type: string, message: string): string;
  /** Everything a real server would refuse, as sentences. */
  check(request: RequestToCheck): string[];
}

/** One server-sent event. */
export function event(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** Pieces as providers stream them: uneven, and through the middle of words and of JSON. */
export function pieces(text: string): string[] {
  const found: string[] = [];
  for (let start = 0, size = 3; start < text.length; start += size, size = size === 3 ? 8 : 3) {
    found.push(text.slice(start, start + size));
  }
  return found;
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A tool's schema must be that of an object. */
export function checkSchema(name: unknown, schema: unknown): string[] {
  const fine =
    typeof name === 'string' && name !== '' && isJson(schema) && /^object$/i.test(String(schema.type));
  return fine ? [] : [`tool ${String(name)} has no schema of an object`];
}

export function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === '';
}
