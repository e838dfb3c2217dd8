// Loads the shell grammar: once per process, and only when a line needs it.
import type { Node, Parser } from 'web-tree-sitter';
import type { LoadGrammar } from './grammar-files.ts';

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
 * in one millisecond. The flag is put back, so that modules which need that compiler can be made again; that V8 does not
 * compile hot functions of any module anew (it reads that flag each time) stays as long as the process. From then on
 * Node's own modules and ours load without their code cache, which is why this waits for a line that needs the grammar.
 */
async function compiledPlainly<T>(compile: () => Promise<T>): Promise<T> {
  // Not imported above: few lines need the grammar.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
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
