// Where the shell grammar's files are. Apart from the parser, whose types no user of the engine should have to compile.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

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
  // Not imported above: few lines need the grammar.
  const { createRequire } = process.getBuiltinModule('node:module');
  try {
    return [...beside, createRequire(import.meta.url).resolve(installed)];
  } catch {
    return beside;
  }
}
