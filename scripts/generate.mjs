// Writes the files that are generated from the sources; with --check it only says which are out of date.
import { fileURLToPath } from 'node:url';
import { loadTypeScript } from './load-typescript.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { generate } = await loadTypeScript(root, 'scripts/generate/main.ts');
process.exitCode = await generate(process.argv.slice(2), { root, print: console.error });
