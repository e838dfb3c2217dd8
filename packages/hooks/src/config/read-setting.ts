// The plain value of one setting in the text of a file, as it stands there and unchecked: what an edit starts from.
import { parseDocument, plainValue, properties } from './document.ts';
import type { SettingPath } from './edit-text.ts';

/** Undefined where there is none, also in a text that cannot be read. Comments are no hindrance. */
export function readSetting(text: string, path: SettingPath): unknown {
  let { root: node } = parseDocument(text.replace(/^\ufeff/, ''));
  for (const key of path) {
    if (node === undefined) return undefined;
    const isMap = node.type === 'object' && typeof key === 'string';
    const isList = node.type === 'array' && typeof key === 'number';
    if (!isMap && !isList) return undefined;
    node = isMap
      ? properties(node).findLast((property) => property.key === key)?.value
      : node.children?.[key as number];
  }
  return node === undefined ? undefined : plainValue(node);
}
