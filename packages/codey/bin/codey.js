#!/usr/bin/env node
// The door of the program: answers --version before anything is loaded, then hands over to the bundle.
import { existsSync, readFileSync } from 'node:fs';

const [first, ...more] = process.argv.slice(2);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (more.length === 0 && ['--version', '-version', '-v'].includes(first ?? '')) {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  process.stdout.write(`codey ${JSON.parse(manifest).version}\n`);
} else if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`codey needs Node.js 20.19 or newer; this is ${process.versions.node}`);
} else if (!existsSync(new URL('../dist/main.js', import.meta.url))) {
  refuse('the program is not built yet; run "npm run build" in the repository');
} else {
  await import('../dist/main.js');
}

/** @param {string} sentence */
function refuse(sentence) {
  process.stderr.write(`codey: ${sentence}\n`);
  process.exitCode = 2;
}
