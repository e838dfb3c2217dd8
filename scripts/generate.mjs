// Writes the files that are generated from the sources; with --check it only says which are out of date.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { generate } = await load('scripts/generate/main.ts');
process.exitCode = await generate(process.argv.slice(2), { root, print: console.error });

/** Node 20 reads no TypeScript: the module is bundled and imported from memory, so that nothing is left on disk. */
async function load(file) {
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
