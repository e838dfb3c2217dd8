#!/usr/bin/env node
// The door of the program: answers --version before anything is loaded, then hands over to the bundle. CommonJS, since
// Node takes as long to prepare for its first ES module as --version takes altogether.
// @ts-check
'use strict';

const { existsSync, readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');

const [first, ...more] = process.argv.slice(2);
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const main = join(__dirname, '../dist/main.cjs');

if (more.length === 0 && ['--version', '-version', '-v'].includes(first ?? '')) {
  const manifest = readFileSync(join(__dirname, '../package.json'), 'utf8');
  sayVersion(`codey ${JSON.parse(manifest).version}\n`);
} else if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`codey needs Node.js 20.19 or newer; this is ${process.versions.node}`);
} else if (!existsSync(main)) {
  refuse('the program is not built yet; run "npm run build" in the repository');
} else {
  const { cachedCompiler, createLoader } = require('./load.js');
  // When nothing is left to do Node would take apart its heap first, milliseconds for memory that the system takes back.
  process.once('beforeExit', () => process.exit());
  createLoader(cachedCompiler(join(__dirname, '../dist/cache')))(main);
}

/**
 * Past `process.stdout`, which takes longer to make than all the rest.
 * @param {string} line
 */
function sayVersion(line) {
  try {
    writeSync(1, line);
  } catch {
    // Whoever asked does not read the answer.
    process.exitCode = 1;
  }
}

/** @param {string} sentence */
function refuse(sentence) {
  process.stderr.write(`codey: ${sentence}\n`);
  process.exitCode = 2;
}
