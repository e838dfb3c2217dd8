// The code cache in the user's folder, for a program that has none beside it: an installed package, another Node than built it.
// @ts-check
'use strict';

const { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } = require('node:fs');
const { basename, isAbsolute, join } = require('node:path');
const { cacheName, compileChunk } = require('./load.js');

/**
 * @typedef {object} OwnCache
 * @property {string} home
 * @property {string} root Holds a folder for each Node.
 * @property {string} folder That of this one.
 * @property {number} uid Whose it has to be.
 */

/**
 * @typedef {object} Loaded A chunk of this run.
 * @property {string} name
 * @property {import('node:vm').Script} script
 * @property {number} floor Bytes that what is kept of it next must exceed.
 */

/** A refused file stays that long, so that starts with other flags in turn do not write it at every end. */
const refusedStaysMs = 24 * 60 * 60 * 1000;

/**
 * Takes chunks out of the cache, and has what was not there kept at the end of the run.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {import('./load.js').Compile}
 */
function ownCompiler(environment) {
  const cache = findOwnCache(environment);
  if (cache === undefined || !isTrusted(cache)) return (file) => compileChunk(file);
  /** @type {Loaded[]} */
  const loaded = [];
  let keeping = false;
  return (file) => {
    const name = basename(file);
    const kept = readKept(join(cache.folder, name), cache.uid);
    const script = compileChunk(file, () => kept?.data);
    const floor = floorOf(kept, script.cachedDataRejected === true);
    loaded.push({ name, script, floor });
    if (floor === 0 && !keeping) {
      keeping = true;
      require('./keep-cache.js').keepAtEnd(cache, loaded);
    }
    return script;
  };
}

/**
 * Undefined where there can be none. A HOME that is no absolute path would lead into the repository one stands in.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {OwnCache | undefined}
 */
function findOwnCache({ HOME: home, NODE_DISABLE_COMPILE_CACHE: disabled, NODE_OPTIONS: options }) {
  if (process.geteuid === undefined || home === undefined || !isAbsolute(home) || disabled) return undefined;
  const root = join(home, '.codey', 'cache');
  // Options may be flags of V8, with which it takes only what it made under them: they leave the others' cache alone.
  const flagged = process.execArgv.length > 0 || Boolean(options);
  const folder = join(root, flagged ? `${cacheName()}-options` : cacheName());
  return { home, root, folder, uid: process.geteuid() };
}

/**
 * Whether all of it that exists is the user's, or root's, and nobody else may write it: what is in it is run.
 * @param {OwnCache} cache
 */
function isTrusted({ root, folder, uid }) {
  try {
    return [root, folder].every((path) => {
      const facts = lstatSync(path, { throwIfNoEntry: false });
      return facts === undefined || (facts.isDirectory() && isSafe(facts, uid));
    });
  } catch {
    // Below a file, or where it may not look.
    return false;
  }
}

/**
 * @param {{ uid: number, mode: number }} facts
 * @param {number} uid
 */
function isSafe(facts, uid) {
  return (facts.uid === uid || facts.uid === 0) && (facts.mode & 0o022) === 0;
}

/**
 * @param {string} path
 * @param {number} uid
 * @returns {{ data: Buffer, mtimeMs: number } | undefined}
 */
function readKept(path, uid) {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const facts = fstatSync(fd);
      if (!facts.isFile() || !isSafe(facts, uid)) return undefined;
      return { data: readFileSync(fd), mtimeMs: facts.mtimeMs };
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/**
 * Data that holds more functions is longer, so what is kept only ever grows.
 * @param {{ data: Buffer, mtimeMs: number } | undefined} kept
 * @param {boolean} refused
 */
function floorOf(kept, refused) {
  if (kept === undefined) return 0;
  if (!refused) return kept.data.length;
  return Date.now() - kept.mtimeMs > refusedStaysMs ? 0 : Number.POSITIVE_INFINITY;
}

module.exports = { findOwnCache, isTrusted, ownCompiler };
