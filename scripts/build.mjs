// Builds what runs: the program as one split bundle (default), and with --packages what npm gets of the two libraries.
// @ts-check
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { asLoadable } from './as-loadable.mjs';
import { entry, entryOfItsOwn, loadedTogether } from './chunks.mjs';
import { leanImports } from './lean-imports.mjs';
import { pruneStale, putFile } from './place-files.mjs';
import { steadySpreads } from './steady-spreads.mjs';
import { noticesFor } from './third-party.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
/** The shell parser and its grammar, which are read from beside the code that uses them. */
const assets = ['web-tree-sitter/web-tree-sitter.wasm', 'tree-sitter-bash/tree-sitter-bash.wasm'].map(
  (file) => require.resolve(file),
);
/** A day: nobody runs a program longer than that without loading the rest of its code. */
const staleAfterMs = 24 * 60 * 60 * 1000;

const shared = /** @satisfies {import('rolldown').InputOptions} */ ({
  platform: 'node',
  // jsonc-parser's CommonJS form loads its parts by names that a bundler cannot follow.
  resolve: { conditionNames: ['codey-source'], mainFields: ['module', 'main'] },
  transform: { target: 'node20.19' },
  // Tool descriptions are Markdown files beside their tools, pages for a browser are HTML files.
  moduleTypes: { '.md': 'text', '.html': 'text' },
  // Emscripten's, in a function that the program never calls.
  checks: { eval: false },
  logLevel: 'warn',
});

/**
 * A chunk's name promises its text to whoever keeps it compiled, in the user's folder beside those of other versions. So its
 * hash is also one over what rewrites the text when the bundler is done.
 */
const hashesCoverLoadable = {
  name: 'hashes-cover-loadable',
  augmentChunkHash: () =>
    ['as-loadable.mjs', 'steady-spreads.mjs']
      .map((name) => readFileSync(join(root, 'scripts', name), 'utf8'))
      .join('\n'),
};

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
  // The bundler's findings say all there is to say; anything else is a fault of this script.
  if (!(error instanceof Error && 'errors' in error)) throw error;
  console.error(error.message);
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
  const bundle = await rolldown({
    ...shared,
    cwd: packageDir,
    input: { main: entry },
    // What the bundler asks for where modules are kept apart.
    preserveEntrySignatures: 'allow-extension',
    plugins: [entryOfItsOwn, ...leanImports, steadySpreads, hashesCoverLoadable],
    transform: { ...shared.transform, define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await bundle.generate({
    format: 'cjs',
    exports: 'named',
    // A script that is run from a code cache cannot import.
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    // Not minified: it starts no faster and stack traces stay readable.
    minify: false,
    comments: false,
    codeSplitting: { groups: loadedTogether },
  });
  const chunks = output.filter((file) => file.type === 'chunk');
  if (clean) rmSync(out, { recursive: true, force: true });
  copyAssets(out);
  const sources = [...assets, ...chunks.flatMap(({ moduleIds }) => moduleIds)];
  putFile(join(out, 'third-party-licenses.txt'), Buffer.from(noticesFor('Codey', packageDir, sources)));
  for (const { fileName, code } of chunks.toSorted(
    (one, other) => Number(one.isEntry) - Number(other.isEntry),
  ))
    putFile(join(out, fileName), asLoadable(code));
  const current = new Set(chunks.map(({ fileName }) => join(out, fileName)));
  pruneStale(join(out, 'chunks'), current, Date.now() - staleAfterMs);
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
    const bundle = await rolldown({
      ...shared,
      cwd: packageDir,
      input: entryPoints(packageDir),
      external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    });
    await bundle.write({
      dir: out,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      minify: false,
      minifyInternalExports: false,
    });
    if (name === 'hooks') {
      copyAssets(out);
      const notices = noticesFor('@codey/hooks', packageDir, assets);
      putFile(join(out, 'third-party-licenses.txt'), Buffer.from(notices));
    }
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
 * The sources that a package's `exports` name, each by the path it keeps in what is built.
 * @param {string} packageDir
 * @returns {Record<string, string>}
 */
function entryPoints(packageDir) {
  const manifest = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
  return Object.fromEntries(
    Object.values(manifest.exports).flatMap((target) => {
      if (typeof target !== 'object') return [];
      const source = target['codey-source'];
      return [[source.replace(/^\.\/src\/|\.ts$/g, ''), source]];
    }),
  );
}

/** @param {string} out */
function copyAssets(out) {
  for (const asset of assets) putFile(join(out, basename(asset)), readFileSync(asset));
}
