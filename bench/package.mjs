// The libraries as they are bundled into the program, from their sources into a temporary folder.
// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

/** @returns {Promise<typeof import('../packages/hooks/src/index.ts')>} */
export const loadHooksPackage = () => load('hooks');

/** @returns {Promise<typeof import('../packages/agent/src/index.ts')>} */
export const loadAgentPackage = () => load('agent');

/** @param {'hooks' | 'agent'} name @returns {Promise<any>} */
async function load(name) {
  const dir = mkdtempSync(join(tmpdir(), 'codey-bench-'));
  // Parts of it are loaded while it is measured.
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  await build({
    input: fileURLToPath(new URL(`../packages/${name}/src/index.ts`, import.meta.url)),
    platform: 'node',
    resolve: { conditionNames: ['codey-source'], mainFields: ['module', 'main'] },
    moduleTypes: { '.md': 'text' },
    transform: { target: 'node20.19' },
    output: { dir, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    logLevel: 'silent',
  });
  return import(pathToFileURL(join(dir, 'index.mjs')).href);
}
