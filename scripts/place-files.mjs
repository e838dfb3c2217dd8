// Replaces files of a program that may be running: each one in a single step, old ones only when nobody needs them.
// @ts-check
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Puts a file in place in one step; one that is there with the same content is only marked as still in use.
 * @param {string} path
 * @param {Uint8Array} contents
 */
export function putFile(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path) && readFileSync(path).equals(contents)) {
    utimesSync(path, new Date(), new Date());
    return;
  }
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

/**
 * Removes what is not current and was last put before a moment.
 * @param {string} folder
 * @param {ReadonlySet<string>} current Absolute paths.
 * @param {number} before Milliseconds since the epoch.
 */
export function pruneStale(folder, current, before) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    // A build beside this one may have removed it a moment ago.
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!current.has(path) && stats !== undefined && stats.mtimeMs < before) rmSync(path, { force: true });
  }
}
