// Puts spans in reading order: each before its children, children by when they began. Pure.

interface Spanning {
  readonly parent: Spanning | undefined;
  readonly start: number;
}

export interface Ordered<Item> {
  readonly item: Item;
  readonly id: number;
  readonly parent: number | null;
}

/** What began at the same moment stays in the given order. */
export function orderSpans<Item extends Spanning>(items: readonly Item[]): readonly Ordered<Item>[] {
  const children = new Map<Spanning | undefined, Item[]>();
  for (const item of items) {
    const siblings = children.get(item.parent);
    if (siblings === undefined) children.set(item.parent, [item]);
    else siblings.push(item);
  }
  const ordered: Ordered<Item>[] = [];
  const visit = (of: Item | undefined, parent: number | null): void => {
    const below = children.get(of) ?? [];
    for (const item of below.toSorted((one, other) => one.start - other.start)) {
      const id = ordered.length;
      ordered.push({ item, id, parent });
      visit(item, id);
    }
  };
  visit(undefined, null);
  return ordered;
}
