// Where in a YAML text an entry stands that a path of keys and indexes leads to.
import type { Document } from 'yaml';

/** Offset of the entry's key, or of the item of a list. Behind an alias, that of the entry which names the alias. */
export function entryOffset(document: Document, path: readonly (string | number)[]): number {
  let offset = 0;
  let node = document.contents as YamlNode | null | undefined;
  for (const step of path) {
    const found = typeof step === 'number' ? itemAt(node, step) : pairAt(node, step);
    if (found === undefined) return offset;
    offset = found.named?.range?.[0] ?? offset;
    node = found.value;
  }
  return offset;
}

/** As much of YAML's tree as this needs: the package itself is loaded only where there is YAML. */
interface YamlNode {
  readonly range?: readonly number[] | null;
  readonly value?: unknown;
  /** Nodes in a list, pairs in a map. */
  readonly items?: readonly unknown[];
}

interface Found {
  /** What the place is that of. */
  readonly named: YamlNode | null | undefined;
  readonly value: YamlNode | null | undefined;
}

function itemAt(node: YamlNode | null | undefined, index: number): Found | undefined {
  const item = node?.items?.[index] as YamlNode | undefined;
  return item && { named: item, value: item };
}

function pairAt(node: YamlNode | null | undefined, name: string): Found | undefined {
  const pairs = (node?.items ?? []) as readonly {
    readonly key?: YamlNode;
    readonly value?: YamlNode | null;
  }[];
  const pair = pairs.find(({ key }) => String(key?.value) === name);
  return pair && { named: pair.key, value: pair.value };
}
