// Nothing in the repository may depend on or tell of the machine it was written on.
// @ts-check
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportFindings, sourceFiles } from './source-files.mjs';

/**
 * `file:line  what is wrong`, for machine paths anywhere, absolute sample paths in the docs, and addresses in the lockfile.
 * @param {string} root
 * @param {readonly string[]} machinePaths Directories of this machine; short ones like `/root` say nothing in code.
 * @returns {string[]}
 */
export function checkTexts(root, machinePaths) {
  const machinePatterns = machinePaths
    .filter((path) => path.split('/').length > 2)
    .map((path) => ({
      pattern: new RegExp(`${escapeRegExp(path)}(?![\\w-])`),
      what: 'a path of this machine',
    }));
  return sourceFiles(root).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    // A file with a zero byte is no text.
    if (text.includes('\0')) return [];
    const patterns = [
      ...machinePatterns,
      ...(file.endsWith('.md') ? docPatterns : []),
      ...(file.endsWith('package-lock.json') ? lockPatterns : []),
    ];
    return text.split('\n').flatMap((line, index) =>
      patterns.flatMap(({ pattern, what }) => {
        const match = pattern.exec(line)?.[0];
        return match === undefined ? [] : [`${file}:${index + 1}  ${what}: ${match}`];
      }),
    );
  });
}

// `/home/you` is the reader.
const docPatterns = [
  {
    pattern: /(?<![\w.~])\/(?!home\/you\b)(?:tmp|home|root|Users|work|workspace|mnt)\/[\w.-]*/,
    what: 'an absolute path of some machine',
  },
];
const lockPatterns = [{ pattern: /"resolved": "\w+:.*"/, what: 'an address of a registry' }];

/** @param {string} text */
function escapeRegExp(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  reportFindings(
    checkTexts(root, [root, homedir()]),
    'Write paths relative to the repository, and let npm leave addresses out of the lockfile.',
  );
}
