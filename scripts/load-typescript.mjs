// Runs a TypeScript module of the repository: Node 20 reads none, and a script must not need a build first.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundled and imported from memory, so that nothing is left on disk.
 * @param {string} root
 * @param {string} file From the root.
 */
export async function loadTypeScript(root, file) {
  const bundle = await build({
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['codey-source'],
    // The `main` build of jsonc-parser does not survive bundling.
    mainFields: ['module', 'main'],
    logLevel: 'warning',
    plugins: [compilerStaysOutside],
  });
  const [{ contents }] = bundle.outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(contents).toString('base64')}`);
}

/** The compiler is large, and a module without a file finds nothing by its bare name. */
const compilerStaysOutside = {
  name: 'compiler-stays-outside',
  /** @param {import('esbuild').PluginBuild} bundler */
  setup(bundler) {
    const { href } = pathToFileURL(createRequire(import.meta.url).resolve('typescript'));
    bundler.onResolve({ filter: /^typescript$/ }, () => ({ path: href, external: true }));
  },
};
