// What came of something a team was asked for, or a sentence on why nothing did.

export type Answer<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'refused'; readonly reason: string };

export function done<Value>(value: Value): Answer<Value> {
  return { kind: 'done', value };
}

export function refused(reason: string): { readonly kind: 'refused'; readonly reason: string } {
  return { kind: 'refused', reason };
}
