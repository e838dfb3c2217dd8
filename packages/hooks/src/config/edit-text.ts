// Changes one setting in the text of a file and leaves every other character as it was.
import { isDeepStrictEqual } from 'node:util';
import { type Node, parseDocument, properties, plainValue } from './document.ts';
import { applyCuts, insertItem, removeItem } from './edit-list.ts';
import { describe } from './shape.ts';
import { layoutOf, render } from './text-layout.ts';

/** Keys from the top down; a number is a position in a list, one past the end appends. */
export type SettingPath = readonly [string, ...(string | number)[]];

export type Edit =
  | { readonly ok: true; readonly text: string }
  /** The text is not such that this can be done; the sentence says what to correct. */
  | { readonly ok: false; readonly message: string };

/**
 * Sets the value at the path, or takes it away where the value is undefined. Objects on the way are made. Comments,
 * unknown keys, formatting, line endings and a byte order mark stay; only comments inside a replaced value go with it.
 */
export function editSetting(text: string, path: SettingPath, value: unknown): Edit {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const edit = editBody(text.slice(mark.length), path, value);
  return edit.ok ? { ok: true, text: mark + edit.text } : edit;
}

function editBody(text: string, path: SettingPath, value: unknown): Edit {
  const { root, syntax, place } = parseDocument(text);
  const [broken] = syntax;
  if (broken !== undefined) {
    const { line, column } = place(broken.offset);
    return { ok: false, message: `line ${line}, column ${column}: ${broken.message}; correct it first` };
  }
  if (root === undefined)
    return { ok: true, text: value === undefined ? text : startFile(text, path, value) };
  if (root.type !== 'object')
    return { ok: false, message: `settings must be an object, not ${describe(root)}` };
  return editNode(text, root, path, value);
}

/** Walks down to the innermost container that exists. */
function editNode(text: string, container: Node, path: readonly (string | number)[], value: unknown): Edit {
  const [key, ...rest] = path;
  if (key === undefined) return { ok: true, text };
  if (container.type !== (typeof key === 'string' ? 'object' : 'array')) {
    return { ok: false, message: `${JSON.stringify(key)} cannot be set in ${describe(container)}` };
  }
  const item = findItem(container, key);
  if (item === undefined) {
    return {
      ok: true,
      text: value === undefined ? text : insertItem(text, container, key, nest(rest, value)),
    };
  }
  if (rest.length > 0) return editNode(text, item.value, rest, value);
  if (value === undefined) return removeEverywhere(text, container, item.whole, path, key);
  return { ok: true, text: replaceValue(text, container, item.value, value) };
}

/** The item that counts, as a whole and its value alone. */
function findItem(
  container: Node,
  key: string | number,
): { readonly whole: Node; readonly value: Node } | undefined {
  if (typeof key === 'number') {
    const value = container.children?.[key];
    return value === undefined ? undefined : { whole: value, value };
  }
  const property = properties(container).find((one) => one.key === key);
  const whole = property?.keyNode.parent;
  return property === undefined || whole === undefined ? undefined : { whole, value: property.value };
}

/** A key that stands twice would come back with its earlier value if only the one that counts went. */
function removeEverywhere(
  text: string,
  container: Node,
  item: Node,
  path: readonly (string | number)[],
  key: string | number,
): Edit {
  const twins =
    typeof key === 'number' ? [item] : (container.children ?? []).filter((one) => keyOf(one) === key);
  if (twins.length === 1) return { ok: true, text: removeItem(text, container, item) };
  const { line } = parseDocument(text).place(item.offset);
  return {
    ok: false,
    message: `line ${line}: ${JSON.stringify(path.at(-1))} stands here twice; take one away first`,
  };
}

function keyOf(property: Node): unknown {
  return property.children?.[0]?.value;
}

function replaceValue(text: string, container: Node, old: Node, value: unknown): string {
  if (isDeepStrictEqual(plainValue(old), value)) return text;
  const layout = layoutOf(text, container);
  return applyCuts(text, [{ from: old.offset, to: old.offset + old.length, insert: render(value, layout) }]);
}

function nest(path: readonly (string | number)[], value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, key) => (typeof key === 'string' ? { [key]: inner } : [inner]),
    value,
  );
}

/** Comments that stand alone in the file stay above what is added. */
function startFile(text: string, path: SettingPath, value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text.trim() === '' ? '' : text.replace(/\s*$/, eol);
  return `${before}${JSON.stringify(nest(path, value), null, 2).replaceAll('\n', eol)}${eol}`;
}
