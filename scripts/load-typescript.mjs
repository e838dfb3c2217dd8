// Runs a TypeScript module of the repository: Node 20 reads none, and a script must not need a build first.
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
  });
  const [{ contents }] = bundle.outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(contents).toString('base64')}`);
}
