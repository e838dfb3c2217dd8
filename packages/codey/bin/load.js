// Loads the chunks of the bundle, out of V8's code cache: the build's, or else the user's own.
// @ts-check
'use strict';

const { readFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

/** @typedef {(file: string) => import('node:vm').Script} Compile */

/**
 * A `require` for chunks, which are CommonJS files. Each runs once; whatever is no chunk is Node's own.
 * @param {Compile} compile
 * @returns {(file: string) => unknown}
 */
function createLoader(compile) {
  /** @type {Map<string, { exports: unknown }>} */
  const modules = new Map();
  return function load(file) {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const folder = dirname(file);
    const requireHere = (/** @type {string} */ name) =>
      name.startsWith('.') ? load(join(folder, name)) : require(name);
    const run = compile(file).runInThisContext();
    run.call(module.exports, module.exports, requireHere, module, file, folder);
    return module.exports;
  };
}

/**
 * Compiles a chunk unless the build's cache holds it, or the user's own. V8 checks that it made the data itself, with the same
 * settings, from a text of the same length; that the text is the same one is promised by the name, which carries a hash of it.
 * @param {string} cache
 * @returns {Compile}
 */
function cachedCompiler(cache) {
  const folder = join(cache, cacheName());
  /** @type {Compile | undefined} */
  let own;
  return (file) => {
    // The entry, a line that loads the first chunk, is called the same in every version.
    if (basename(dirname(file)) !== 'chunks') return compileChunk(file);
    const data = readIfThere(join(folder, basename(file)));
    if (data !== undefined) return compileChunk(file, data);
    own ??= require('./own-cache.js').ownCompiler(process.env);
    return own(file);
  };
}

/** Where the cache of this Node is; one made by another would be refused. */
function cacheName() {
  return `${process.versions.node}-${process.platform}-${process.arch}`;
}

/**
 * The file holds the function that a chunk is run as, in ASCII.
 * @param {string} file
 * @param {Buffer} [cachedData]
 */
function compileChunk(file, cachedData) {
  return new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(cachedData !== undefined && { cachedData }),
  });
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

module.exports = { cacheName, cachedCompiler, compileChunk, createLoader };
