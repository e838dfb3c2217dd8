// A YAML or JSON file with the place of everything in it, so that each finding can name file, line and column.
import { type Document, LineCounter, type Node, parseDocument } from 'yaml';

export type Step = string | number;

export interface Finding {
  /** Keys and indexes from the top. */
  readonly at: readonly Step[];
  readonly message: string;
}

export interface YamlFile {
  /** For who needs to know where each thing begins and ends. */
  readonly document: Document;
  /** Undefined where it cannot be read as YAML. */
  readonly value: unknown;
  /** What is wrong with the YAML itself, each `file:line:column  what`. */
  readonly problems: readonly string[];
  /** `file:line:column  what`. */
  say(finding: Finding): string;
  /** From 1. */
  lineOf(at: readonly Step[]): number;
}

export function readYaml(name: string, text: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const broken = document.errors.map(({ pos, message }) => `${place(pos[0])}  ${message}`);
  const plain = broken.length > 0 ? undefined : plainValue(document);
  return {
    document,
    value: plain?.ok ? plain.value : undefined,
    problems: plain?.ok === false ? [`${place(0)}  ${plain.message}`] : broken,
    say: ({ at, message }) => `${place(offsetOf(document, at))}  ${message}`,
    lineOf: (at) => lines.linePos(offsetOf(document, at)).line,
  };
}

type PlainValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** YAML can say what JSON cannot: aliases to nothing, aliases that grow without end, things that hold themselves. */
function plainValue(document: Document): PlainValue {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return { ok: true, value: JSON.parse(JSON.stringify(value) ?? 'null') };
  } catch (error) {
    return {
      ok: false,
      message: `an alias cannot be followed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** Of the nearest enclosing thing where the place itself is not there. */
function offsetOf(document: Document, at: readonly Step[]): number {
  for (let depth = at.length; depth >= 0; depth--) {
    const node = document.getIn(at.slice(0, depth), true) as Node | null | undefined;
    if (node?.range != null) return node.range[0];
  }
  return 0;
}
