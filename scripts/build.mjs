// Builds what runs: the program as one split bundle (default), and with --packages what npm gets of the two libraries.
// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { leanImports } from './lean-imports.mjs';
import { pruneStale, putFile } from './place-files.mjs';
import { noticesFor } from './third-party.mjs';
import { toCommonJs } from './to-commonjs.mjs';

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
 * CommonJS: Node starts it faster, and can keep it compiled.
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
    outExtension: { '.js': '.cjs' },
    splitting: true,
    entryNames: 'chunks/[name]-[hash]',
    chunkNames: 'chunks/[name]-[hash]',
    conditions: ['codey-source'],
    plugins: [leanImports],
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
    metafile: true,
  });
  const { outputs, inputs } = result.metafile;
  const files = await Promise.all(
    result.outputFiles.map(async ({ path, text }) => {
      const { entryPoint, inputs: sources } = outputs[relative(packageDir, path)] ?? { inputs: {} };
      return { path, entryPoint, code: Buffer.from(await toCommonJs(text, Object.keys(sources))) };
    }),
  );
  const entry = files.find(({ entryPoint }) => entryPoint === 'src/main.ts');
  if (entry === undefined) throw new Error('the bundle has no entry');
  if (clean) rmSync(out, { recursive: true, force: true });
  copyAssets(out);
  putFile(join(out, 'third-party-licenses.txt'), Buffer.from(noticesFor(packageDir, Object.keys(inputs))));
  for (const { path, code } of files) putFile(path, code);
  putFile(
    join(out, 'main.cjs'),
    Buffer.from(`module.exports = require('./chunks/${basename(entry.path)}');\n`),
  );
  pruneStale(join(out, 'chunks'), new Set(files.map(({ path }) => path)), Date.now() - staleAfterMs);
  keepCompiled(out);
}

/**
 * A process of its own, so that no flag of this one is in what it keeps. Without a cache the program works as well, only
 * slower.
 * @param {string} out
 */
function keepCompiled(out) {
  const { NODE_OPTIONS: _options, NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/code-cache.mjs'), out], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) console.error(`build: no code cache, so the program starts slower:\n${stderr}`);
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
