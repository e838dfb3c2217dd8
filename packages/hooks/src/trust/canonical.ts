// One text for one value, whatever the order of its keys, and the digest of it.
import { createHash } from 'node:crypto';
import { isObject } from '../config/is-object.ts';

/** JSON with sorted keys. Keys that are undefined are left out, as in JSON. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isObject(inner) ? sortKeys(inner) : inner));
}

/** SHA-256 in hex of a value's canonical text. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function sortKeys(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
