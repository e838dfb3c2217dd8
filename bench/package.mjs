// The engine as one module, built into memory from its sources.
// @ts-check
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** @returns {Promise<typeof import('../packages/hooks/src/index.ts')>} */
export async function loadHooksPackage() {
  const bundled = await build({
    entryPoints: [fileURLToPath(new URL('../packages/hooks/src/index.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire as make } from 'node:module'; const require = make(process.cwd() + '/');",
    },
    external: ['web-tree-sitter'],
    write: false,
  });
  const code = bundled.outputFiles[0]?.text ?? '';
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}
