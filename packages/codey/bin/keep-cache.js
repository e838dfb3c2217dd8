// Keeps what V8 compiled in this run in the user's folder. Whatever goes wrong with it, the run has ended as it did.
// @ts-check
'use strict';

const {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { dirname, join } = require('node:path');
const { isTrusted } = require('./own-cache.js');

/** @typedef {import('./own-cache.js').OwnCache} OwnCache */
/** @typedef {import('./own-cache.js').Loaded} Loaded */
/** @typedef {{ path: string, mtimeMs: number, size: number }} Entry */

/** By then a start is over, and V8 has not yet dropped functions that are run once: it does at the sixth large collection. */
const startOverMs = 10_000;

const hourMs = 60 * 60 * 1000;
/** What was not written for so long, and is not of this run, goes; whoever needs it makes it again. */
const staleMs = 30 * 24 * hourMs;
/** A version takes some 3 MB. */
const roomBytes = 64 * 1024 * 1024;

/**
 * Writes at the end of a run that ended well. The data is made as soon as the start is over.
 * @param {OwnCache} cache
 * @param {readonly Loaded[]} loaded Grows while the run goes on.
 */
function keepAtEnd(cache, loaded) {
  /** @type {Map<string, Buffer>} */
  const made = new Map();
  let possible = true;
  const make = () => {
    if (!possible) return;
    possible = succeeds(() => {
      const isReady = prepare(cache);
      for (const { name, script } of isReady ? loaded : [])
        if (!made.has(name)) made.set(name, script.createCachedData());
      return isReady;
    });
  };
  setTimeout(make, startOverMs).unref();
  beforeFlagsChange(() => {
    make();
    possible = false;
  });
  process.once('exit', (code) => {
    if (code !== 0) return;
    make();
    if (made.size > 0) succeeds(() => write(cache, loaded, made));
  });
}

/**
 * V8 writes the flags of that moment into the data, and a start, which has others, would refuse it. The shell grammar
 * changes one; nothing tells of it but the call itself.
 * @param {() => void} act
 */
function beforeFlagsChange(act) {
  const v8 = /** @type {{ setFlagsFromString(flags: string): void }} */ (require('node:v8'));
  const { setFlagsFromString } = v8;
  v8.setFlagsFromString = (flags) => {
    v8.setFlagsFromString = setFlagsFromString;
    act();
    setFlagsFromString(flags);
  };
}

/**
 * Whether there is a folder to write to which is the user's with all that leads to it; root with another's HOME has none.
 * @param {OwnCache} cache
 */
function prepare(cache) {
  const { home, root, folder, uid } = cache;
  const isOwn = (/** @type {string} */ path) =>
    (statSync(path, { throwIfNoEntry: false })?.uid ?? uid) === uid;
  if (![home, dirname(root), root, folder].every(isOwn)) return false;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  accessSync(folder, constants.W_OK);
  return isTrusted(cache);
}

/**
 * @param {OwnCache} cache
 * @param {readonly Loaded[]} loaded
 * @param {ReadonlyMap<string, Buffer>} made
 */
function write({ root, folder }, loaded, made) {
  const used = new Set(loaded.map(({ name }) => join(folder, name)));
  for (const { path } of outdated(entriesOf(root), used, Date.now())) rmSync(path, { force: true });
  // Those that are empty now; the others refuse.
  for (const other of foldersOf(root)) if (other !== folder) succeeds(() => rmdirSync(other));
  for (const { name, floor } of loaded) {
    const data = made.get(name);
    if (data !== undefined && data.length > floor) putFile(join(folder, name), data);
  }
}

/**
 * In one step; another codey may be doing the same.
 * @param {string} path
 * @param {Buffer} data
 */
function putFile(path, data) {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, data, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * What nobody needs any more: files of writers that were killed, old ones, and the oldest where there is too much.
 * @param {readonly Entry[]} entries
 * @param {ReadonlySet<string>} used Paths that stay.
 * @param {number} now Milliseconds since the epoch.
 * @returns {readonly Entry[]}
 */
function outdated(entries, used, now) {
  let bytes = 0;
  return entries
    .filter(({ path }) => !used.has(path))
    .sort((one, other) => other.mtimeMs - one.mtimeMs)
    .filter(({ path, mtimeMs, size }) => {
      bytes += size;
      return now - mtimeMs > (path.endsWith('.tmp') ? hourMs : staleMs) || bytes > roomBytes;
    });
}

/**
 * Nothing that this file does not write itself, should somebody keep other things there.
 * @param {string} root
 * @returns {Entry[]}
 */
function entriesOf(root) {
  return foldersOf(root).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.cjs(?:\.\d+\.tmp)?$/.test(name))
      .flatMap((name) => {
        const path = join(folder, name);
        const facts = lstatSync(path, { throwIfNoEntry: false });
        return facts?.isFile() ? [{ path, mtimeMs: facts.mtimeMs, size: facts.size }] : [];
      }),
  );
}

/** @param {string} root */
function foldersOf(root) {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d+\.\d+\.\d+-[\w.-]+$/.test(entry.name))
    .map(({ name }) => join(root, name));
}

/**
 * False where it throws, too.
 * @param {() => unknown} act
 */
function succeeds(act) {
  try {
    return act() !== false;
  } catch {
    return false;
  }
}

module.exports = { keepAtEnd, outdated };
