// Runs a TypeScript module of the repository: Node 20 reads none, and a script must not need a build first.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';

/**
 * Bundled and imported from memory, so that nothing is left on disk.
 * @param {string} root
 * @param {string} file From the root.
 */
export async function loadTypeScript(root, file) {
  const { output } = await build({
    cwd: root,
    input: file,
    platform: 'node',
    resolve: {
      conditionNames: ['codey-source'],
      // The `main` build of jsonc-parser does not survive bundling.
      mainFields: ['module', 'main'],
    },
    // As in the program's own bundle: texts beside their tools, and the grammar's one eval that is never called.
    moduleTypes: { '.md': 'text' },
    checks: { eval: false },
    transform: { target: 'node20.19' },
    external: ['typescript'],
    output: {
      codeSplitting: false,
      // The compiler is large, and a module without a file finds nothing by its bare name.
      paths: { typescript: pathToFileURL(createRequire(import.meta.url).resolve('typescript')).href },
    },
    write: false,
    logLevel: 'warn',
  });
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
}
