// Builds what runs: the program as one split bundle (default), and with --packages what npm gets of the two libraries.
// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { pruneStale, putFile } from './place-files.mjs';
import { noticesFor } from './third-party.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
/** A day: nobody runs a program longer than that without loading the rest of its code. */
const staleAfterMs = 24 * 60 * 60 * 1000;

const shared = /** @satisfies {import('esbuild').BuildOptions} */ ({
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // jsonc-parser's CommonJS form loads its parts by names that a bundler cannot follow.
  mainFields: ['module', 'main'],
  // Tool descriptions are Markdown files beside their tools, pages for a browser are HTML files.
  loader: { '.md': 'text', '.html': 'text' },
  charset: 'utf8',
  // Not minified: it starts no faster and stack traces stay readable.
  minify: false,
  legalComments: 'none',
  logLevel: 'warning',
});

const flags = process.argv.slice(2);
const unknown = flags.filter((flag) => !['--packages', '--clean'].includes(flag));
if (unknown.length > 0) {
  console.error(`build: unknown argument ${unknown.join(' ')}; use --packages, --clean or none`);
  process.exit(2);
}
try {
  await buildProgram({ clean: flags.includes('--clean') });
  if (flags.includes('--packages')) await buildPackages();
} catch (error) {
  // esbuild has printed its findings; anything else is a fault of this script.
  if (!(error instanceof Error && 'errors' in error)) throw error;
  process.exitCode = 1;
}

/**
 * The program's bundle. Names carry the hash of their content, new files come first and the entry last, so that a codey
 * running meanwhile finds the chunks it has yet to load; those go a day after they were last part of a build.
 * @param {{ clean: boolean }} options
 */
async function buildProgram({ clean }) {
  const packageDir = join(root, 'packages/codey');
  const out = join(packageDir, 'dist');
  const result = await build({
    ...shared,
    absWorkingDir: packageDir,
    entryPoints: { main: 'src/main.ts' },
    outdir: out,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    conditions: ['codey-source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    // CommonJS dependencies ask for Node's built-ins with require.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
    write: false,
    metafile: true,
  });
  if (clean) rmSync(out, { recursive: true, force: true });
  const isEntry = (/** @type {{ path: string }} */ file) => basename(file.path) === 'main.js';
  const files = [...result.outputFiles].toSorted(
    (left, right) => Number(isEntry(left)) - Number(isEntry(right)),
  );
  copyAssets(out);
  putFile(
    join(out, 'third-party-licenses.txt'),
    Buffer.from(noticesFor(packageDir, Object.keys(result.metafile.inputs))),
  );
  for (const file of files) putFile(file.path, file.contents);
  pruneStale(join(out, 'chunks'), new Set(files.map((file) => file.path)), Date.now() - staleAfterMs);
}

/** The libraries: readable JavaScript with their dependencies outside, and declarations by tsc. */
async function buildPackages() {
  for (const name of ['hooks', 'agent']) {
    const packageDir = join(root, 'packages', name);
    const out = join(packageDir, 'dist');
    rmSync(out, { recursive: true, force: true });
    await build({
      ...shared,
      absWorkingDir: packageDir,
      entryPoints: entryPoints(packageDir),
      outbase: 'src',
      outdir: out,
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      packages: 'external',
    });
    if (name === 'hooks') copyAssets(out);
    const tsc = spawnSync(
      process.execPath,
      [require.resolve('typescript/bin/tsc'), '-p', join(packageDir, 'tsconfig.build.json')],
      {
        stdio: 'inherit',
      },
    );
    if (tsc.status !== 0) {
      console.error(
        `build: no declarations for ${relative(root, packageDir)}; correct the type errors above`,
      );
      process.exit(1);
    }
  }
}

/**
 * The sources that a package's `exports` name.
 * @param {string} packageDir
 * @returns {string[]}
 */
function entryPoints(packageDir) {
  const manifest = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
  return Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'object' ? [target['codey-source']] : [],
  );
}

/**
 * The grammars of the shell parser, which are read from beside the code that uses them.
 * @param {string} out
 */
function copyAssets(out) {
  for (const asset of ['tree-sitter-bash/tree-sitter-bash.wasm', 'web-tree-sitter/web-tree-sitter.wasm']) {
    const source = join(root, 'node_modules', asset);
    if (existsSync(source)) putFile(join(out, basename(source)), readFileSync(source));
  }
}
