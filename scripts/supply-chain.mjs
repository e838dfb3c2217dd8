// What comes with the packages: no install scripts, licences that ask for no more than a notice, and a stated budget.
// @ts-check
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportFindings } from './source-files.mjs';

/**
 * @typedef {{ version?: string, license?: string, hasInstallScript?: boolean, dependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, devDependencies?: Record<string, string>, resolved?: string, link?: boolean }} LockEntry
 * @typedef {Readonly<Record<string, LockEntry>>} Lock
 * @typedef {{ name: string, from: 'dependencies' | 'devDependencies', packages: number, megabytes: number, why: string }} Budget
 */

/** Beside our own packages. What somebody installs grows by a decision, never by accident. @type {readonly Budget[]} */
export const budgets = [
  {
    name: 'hooks',
    from: 'dependencies',
    packages: 6,
    megabytes: 9,
    why: 'what an embedder of the engine installs',
  },
  {
    name: 'agent',
    from: 'dependencies',
    packages: 125,
    megabytes: 50,
    why: 'what an embedder of the agent installs',
  },
  // The program is one bundle and installs nothing; these are the packages it is made of, less those of the agent. Nine of
  // them, with 16 MB of maps and tables, are OpenTelemetry, of which 0.1 MB is in the bundle.
  {
    name: 'codey',
    from: 'devDependencies',
    packages: 149,
    megabytes: 78,
    why: 'what the bundle may be made of',
  },
];

/** May be passed on in a bundle with nothing but their notice. */
const licences = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

/**
 * Every installed package that one of ours needs, by its path in the lockfile.
 * @param {Lock} lock
 * @param {string} own Path of our package, such as `packages/hooks`.
 * @param {Budget['from']} from
 * @returns {string[]}
 */
export function needed(lock, own, from) {
  /** @type {Set<string>} */
  const found = new Set();
  /** @type {(readonly [string, Record<string, string>])[]} */
  const open = [[own, lock[own]?.[from] ?? {}]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, names] = next;
    for (const name of Object.keys(names)) {
      const place = locate(lock, path, name);
      if (place === undefined || found.has(place)) continue;
      const entry = lock[place] ?? {};
      if (entry.link !== true) found.add(place);
      const target = entry.link === true ? (entry.resolved ?? '') : place;
      const { dependencies = {}, optionalDependencies = {} } = lock[target] ?? {};
      open.push([target, { ...dependencies, ...optionalDependencies }]);
    }
  }
  return [...found].toSorted();
}

/**
 * As Node finds a package: beside whoever needs it, or in a folder above.
 * @param {Lock} lock
 * @param {string} from
 * @param {string} name
 * @returns {string | undefined}
 */
function locate(lock, from, name) {
  for (let folder = from; ; folder = folder === '.' ? '' : posix.dirname(folder)) {
    const place = posix.join(folder === '.' ? '' : folder, 'node_modules', name);
    if (lock[place] !== undefined) return place;
    if (folder === '' || folder === '.') return undefined;
  }
}

/**
 * One sentence for each package that may not come along.
 * @param {Lock} lock
 * @param {readonly string[]} places
 * @returns {string[]}
 */
export function checkPackages(lock, places) {
  return places.flatMap((place) => {
    const { license = 'none', hasInstallScript, version } = lock[place] ?? {};
    const what = `${place.slice(place.lastIndexOf('node_modules/') + 13)} ${version}`;
    return [
      ...(hasInstallScript ? [`${what}  runs a script when it is installed`] : []),
      ...(isFree(license) ? [] : [`${what}  has the licence ${license}`]),
    ];
  });
}

/** @param {string} expression As SPDX writes it; of alternatives one is enough. */
function isFree(expression) {
  return expression
    .replace(/^\(|\)$/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => licences.has(licence.trim())));
}

/**
 * @param {Budget} budget
 * @param {number} packages
 * @param {number} megabytes
 * @returns {string[]}
 */
export function checkBudget(budget, packages, megabytes) {
  const over = packages > budget.packages || megabytes > budget.megabytes;
  const said = `${budget.name}: ${packages} packages, ${megabytes.toFixed(1)} MB`;
  return over ? [`${said}  (budget: ${budget.packages} and ${budget.megabytes} MB; ${budget.why})`] : [];
}

/**
 * Bytes on disk, without the packages inside.
 * @param {string} folder
 * @returns {number}
 */
function sizeOf(folder) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum;
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : lstatSync(path).size);
  }, 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  /** @type {{ packages: Lock }} */
  const { packages: lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  /** @type {string[]} */
  const said = [];
  const findings = budgets.flatMap((budget) => {
    const places = needed(lock, `packages/${budget.name}`, budget.from);
    const megabytes = places.reduce((sum, place) => sum + sizeOf(join(root, place)), 0) / 1e6;
    said.push(`${budget.name} ${places.length} packages, ${megabytes.toFixed(1)} MB`);
    return [...checkPackages(lock, places), ...checkBudget(budget, places.length, megabytes)];
  });
  reportFindings(
    [...new Set(findings)],
    'Choose another package, or write down in docs/decisions/ why this one is worth it.',
  );
  console.log(said.join('; '));
}
