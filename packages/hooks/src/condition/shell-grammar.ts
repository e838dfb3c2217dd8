// Loads the shell grammar: once per process, and only when a line needs it.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Node, Parser } from 'web-tree-sitter';

/** The two WebAssembly files a parser is made of. */
export interface Grammar {
  /** `web-tree-sitter.wasm`, the parser's runtime. */
  readonly runtime: Uint8Array;
  /** `tree-sitter-bash.wasm`, the grammar. */
  readonly language: Uint8Array;
}

/** Where the grammar comes from; an embedder that keeps its files elsewhere passes another one. */
export type LoadGrammar = () => Promise<Grammar>;

/** Looks beside this file, then a folder above, then among the installed packages. Rejects if a file is in none. */
export const loadGrammar: LoadGrammar = async () => {
  const [runtime, language] = await Promise.all([
    readWasm('web-tree-sitter.wasm', 'web-tree-sitter/web-tree-sitter.wasm'),
    readWasm('tree-sitter-bash.wasm', 'tree-sitter-bash/tree-sitter-bash.wasm'),
  ]);
  return { runtime, language };
};

/** Reads one line; null when it would take longer than a command line is worth. */
export type ReadTree = <T>(line: string, use: (root: Node) => T) => T | null;

/** The parser of a grammar. A parser holds nothing between lines, so all callers share it. */
export function shellParser(load: LoadGrammar): Promise<ReadTree> {
  const known = parsers.get(load);
  if (known !== undefined) return known;
  const made = makeParser(load);
  parsers.set(load, made);
  return made;
}

const parsers = new WeakMap<LoadGrammar, Promise<ReadTree>>();

async function makeParser(load: LoadGrammar): Promise<ReadTree> {
  const [{ Language, Parser }, grammar] = await Promise.all([import('web-tree-sitter'), load()]);
  const language = await compiledPlainly(async () => {
    await Parser.init({ wasmBinary: grammar.runtime });
    return Language.load(grammar.language);
  });
  const parser = new Parser();
  parser.setLanguage(language);
  return (line, use) => readTree(parser, line, use);
}

/**
 * V8's optimising compiler takes half a second of both cores for the grammar, to save microseconds on lines that are read
 * in one millisecond. Whether it runs is settled while a module is compiled, so the flag is put back at once: as long as
 * it differs, Node's own modules load without their code cache.
 */
async function compiledPlainly<T>(compile: () => Promise<T>): Promise<T> {
  setFlagsFromString('--liftoff-only');
  try {
    return await compile();
  } finally {
    setFlagsFromString('--no-liftoff-only');
  }
}

function readTree<T>(parser: Parser, line: string, use: (root: Node) => T): T | null {
  // The limit counts steps and not milliseconds: the same line is read alike on every machine.
  let steps = 0;
  const tree = parser.parse(line, null, { progressCallback: () => ++steps > stepLimit });
  if (tree === null) {
    parser.reset();
    return null;
  }
  try {
    return use(tree.rootNode);
  } finally {
    tree.delete();
  }
}

/** The parser reports in every hundred operations or so; real lines stay far below this. */
const stepLimit = 20_000;

async function readWasm(name: string, installed: string): Promise<Uint8Array> {
  const tried: string[] = [];
  for (const path of placesOf(name, installed)) {
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes !== undefined) return bytes;
    tried.push(path);
  }
  throw new Error(`${name} was not found (looked at ${tried.join(', ')}); reinstall the package`);
}

function placesOf(name: string, installed: string): readonly string[] {
  const beside = [`./${name}`, `../${name}`].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  try {
    return [...beside, createRequire(import.meta.url).resolve(installed)];
  } catch {
    return beside;
  }
}
