// How the program is cut into chunks: by when a module is needed.
// @ts-check
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Modules that no ordinary run calls: a third of a session's code, which it would otherwise read and set up at each start. Each
 * exports functions alone, and nothing calls one of them while modules are set up. `modules.test.ts` names what has to leave.
 */
const seldom = new Set(
  readFileSync(join(root, 'scripts/seldom-modules.txt'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((name) => join(root, name)),
);

/**
 * What every start loads and what every session needs, in one chunk each. Split by who else needs what, as bundlers do by
 * themselves, a run loads thirty chunks: a look at the disk for each, and a getter for each name that one takes of another.
 */
export const loadedTogether = [
  // Loaded when one of its functions is first called, by `bin/load.js`.
  {
    name: 'seldom',
    test: (/** @type {string} */ id) => seldom.has(id),
    priority: 3,
    includeDependenciesRecursively: false,
  },
  { name: 'start', test: /[\\/]codey[\\/]src[\\/]main\.ts$/, priority: 2 },
  {
    name: 'session',
    test: /[\\/]codey[\\/]src[\\/](?:start[\\/](?!herdr)|terminal[\\/]|modes[\\/]hook-notices)/,
    priority: 1,
  },
];

/** A line that loads the first chunk, for `entryOfItsOwn` to make. */
export const entry = '\0entry';

/**
 * The entry keeps its name, and only what has the name of its text is kept compiled. So it is not the module that the program
 * begins with: into that one the bundler puts the whole first chunk.
 */
export const entryOfItsOwn = {
  name: 'entry-of-its-own',
  resolveId: (/** @type {string} */ id) => (id === entry ? id : null),
  load: (/** @type {string} */ id) =>
    id === entry
      ? `export { finished } from ${JSON.stringify(join(root, 'packages/codey/src/main.ts'))};`
      : null,
};
