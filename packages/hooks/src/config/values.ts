// The keys of one settings file beside `hooks`.
import { type Node, type Place, properties } from './document.ts';
import type { Findings } from './findings.ts';
import { settingsKeys } from './schema.ts';
import type { SettingsValues } from './settings.ts';
import { suggest } from './suggest.ts';

export interface ParsedValues {
  readonly values: SettingsValues;
  readonly places: ReadonlyMap<string, Place>;
}

/** Keys that are read elsewhere or by nobody. */
const otherKeys = ['hooks', '$schema'];

export function parseValues(root: Node, findings: Findings): ParsedValues {
  const places = new Map<string, Place>();
  const entries = properties(root).flatMap(({ key, keyNode, value }) => {
    if (otherKeys.includes(key)) return [];
    if (!isSettingsKey(key)) {
      reportUnknownKey(key, keyNode, findings);
      return [];
    }
    notePlaces(key, keyNode, value, findings, places);
    const { shape, area } = settingsKeys[key];
    const parsed = shape.parse(value, `"${key}"`, { findings, area });
    return parsed === undefined ? [] : [[key, parsed] as const];
  });
  return { values: Object.fromEntries(entries) as SettingsValues, places };
}

/** The name of a value in `SettingsFile.places`: its keys from the top down. */
export function placeName(path: readonly string[]): string {
  return path.map((key) => JSON.stringify(key)).join('.');
}

function isSettingsKey(key: string): key is keyof SettingsValues {
  return Object.hasOwn(settingsKeys, key);
}

/**
 * Other programs may keep keys of their own here, so an unknown one is only pointed out. A near miss of `hooks` or
 * `permissions` is refused: what stands under it was meant to guard something.
 */
function reportUnknownKey(key: string, at: Node, findings: Findings): void {
  const meant = suggest(key, [...Object.keys(settingsKeys), ...otherKeys]);
  const message = `unknown key "${key}"`;
  const hint = meant === undefined ? undefined : `did you mean "${meant}"?`;
  if (meant === 'hooks' || meant === 'permissions') findings.problem(meant, at, message, hint);
  else findings.warning('other', at, message, hint);
}

/** Two levels are enough to point at a switch, a variable or a server. */
function notePlaces(
  key: string,
  keyNode: Node,
  value: Node,
  findings: Findings,
  places: Map<string, Place>,
): void {
  places.set(placeName([key]), findings.place(keyNode));
  if (value.type !== 'object') return;
  for (const inner of properties(value))
    places.set(placeName([key, inner.key]), findings.place(inner.keyNode));
}
