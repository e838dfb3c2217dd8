// Loads the chunks of the bundle, out of V8's code cache: the build's, or else the user's own.
// @ts-check
'use strict';

const { closeSync, existsSync, fstatSync, openSync, readSync } = require('node:fs');
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
    const requireHere = (/** @type {string} */ name) => {
      if (!name.startsWith('.')) return nodeModule(name);
      const chunk = join(folder, name);
      return isSeldomChunk(name) ? whenAsked(() => load(chunk)) : load(chunk);
    };
    const run = compile(file).runInThisContext();
    run.call(module.exports, module.exports, requireHere, module, file, folder);
    return module.exports;
  };
}

/** Of Node's modules those that take it long to load, some tenths of a millisecond and more, and that many starts do without. */
const seldomNeeded = new Set([
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:http',
  'node:https',
  'node:net',
  'node:string_decoder',
  'node:timers/promises',
]);

/**
 * The chunk with what no ordinary run calls.
 * @param {string} name
 */
function isSeldomChunk(name) {
  return name.includes('/seldom-');
}

/**
 * @param {string} name
 * @returns {unknown}
 */
function nodeModule(name) {
  return seldomNeeded.has(name) ? whenAsked(() => require(name)) : require(name);
}

/**
 * A stand-in that loads the module when it is first asked for something. Chunks ask each other, and modules of Node, for a
 * function when they call it.
 * @param {() => any} load
 */
function whenAsked(load) {
  return new Proxy(
    {},
    {
      get: (_, key) => load()[key],
      has: (_, key) => key in load(),
      ownKeys: () => Reflect.ownKeys(load()),
      // What the stand-in does not have itself may not be fixed.
      getOwnPropertyDescriptor: (_, key) => {
        const found = Reflect.getOwnPropertyDescriptor(load(), key);
        return found && { ...found, configurable: true };
      },
    },
  );
}

/**
 * Compiles a chunk unless the build's cache holds it, or the user's own. V8 checks that it made the data itself, with the same
 * settings, from a text of the same length; that the text is the same one is promised by the name, which carries a hash of it.
 * @param {string} cache
 * @returns {Compile}
 */
function cachedCompiler(cache) {
  const folder = join(cache, cacheName());
  /** @type {Compile} */
  const compile = existsSync(folder)
    ? (file) => compileChunk(file, () => readIfThere(join(folder, basename(file))))
    : require('./own-cache.js').ownCompiler(process.env);
  // The entry, a line that loads the first chunk, is called the same in every version.
  return (file) => (basename(dirname(file)) === 'chunks' ? compile(file) : compileChunk(file));
}

/** Where the cache of this Node is; one made by another would be refused. */
function cacheName() {
  return `${process.versions.node}-${process.platform}-${process.arch}`;
}

/**
 * The file holds the function that a chunk is run as, in ASCII.
 * @param {string} file
 * @param {() => Uint8Array | undefined} [readCached] Gives the compiled chunk, where there is one.
 */
function compileChunk(file, readCached) {
  const text = read(file).toString('latin1');
  // The text is copied by now, and what is compiled will be: V8 takes all of it out of the data at once.
  const cachedData = readCached?.();
  return new Script(text, { filename: file, ...(cachedData !== undefined && { cachedData }) });
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return read(file);
  } catch {
    return undefined;
  }
}

/** For all that is read here, one after the other: memory that is touched for the first time takes longer than reading into it. */
let memory = Buffer.alloc(0);

/**
 * The content, until the next call.
 * @param {string} file
 */
function read(file) {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    // With room for larger ones: what is not read into is never touched.
    if (memory.length < size) memory = Buffer.allocUnsafeSlow(2 * size);
    let length = 0;
    while (length < size) {
      const more = readSync(descriptor, memory, length, size - length, null);
      if (more === 0) break;
      length += more;
    }
    return memory.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

module.exports = { cacheName, cachedCompiler, compileChunk, createLoader };
