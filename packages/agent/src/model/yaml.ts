// The YAML package, imported by name: a bundler gives a dynamic import of CommonJS no names.
import { type Document, LineCounter, parseDocument } from 'yaml';

export { LineCounter };

/** Says what it has to say in the document's errors, and nothing of a stranger's text on the terminal. */
export function readDocument(text: string, lineCounter: LineCounter): Document {
  return parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
}

export type PlainValue =
  | { readonly ok: true; readonly value: unknown }
  /** Completes “it …”. */
  | { readonly ok: false; readonly message: string };

/**
 * What a document without errors stands for, as JSON could say it. YAML can say more: an alias to nothing, aliases of
 * aliases that grow without end, and things that hold themselves.
 */
export function plainValue(document: Document): PlainValue {
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return {
      ok: false,
      message: `cannot be followed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  try {
    return { ok: true, value: JSON.parse(JSON.stringify(value) ?? 'null') };
  } catch {
    return { ok: false, message: 'holds itself; write its parts out instead of an alias' };
  }
}
