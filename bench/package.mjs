// The libraries as they are bundled into the program, from their sources into a temporary folder.
// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

/** @returns {Promise<typeof import('../packages/hooks/src/index.ts')>} */
export const loadHooksPackage = () => load('hooks');

/** @returns {Promise<typeof import('../packages/agent/src/index.ts')>} */
export const loadAgentPackage = () => load('agent');

/** @param {'hooks' | 'agent'} name @returns {Promise<any>} */
async function load(name) {
  const outdir = mkdtempSync(join(tmpdir(), 'codey-bench-'));
  // Parts of it are loaded while it is measured.
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  await build({
    entryPoints: [fileURLToPath(new URL(`../packages/${name}/src/index.ts`, import.meta.url))],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    conditions: ['codey-source'],
    loader: { '.md': 'text' },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  // Its service would count among the processes that are left.
  await stop();
  return import(pathToFileURL(join(outdir, 'index.mjs')).href);
}
