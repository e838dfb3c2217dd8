// Compares docs/promises.json with the tests: an unknown id is an error, a promise that no test cites is listed.
// @ts-check
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportFindings, sourceFiles } from './source-files.mjs';

/**
 * @typedef {{ id: string, promise: string, source: string }} Promised
 * @typedef {{ id: string, file: string, line: number }} Citation
 */

/**
 * @param {string} root
 * @returns {{ unknown: Citation[], uncited: Promised[], repeated: string[], total: number }}
 */
export function checkPromises(root) {
  /** @type {Promised[]} */
  const promises = JSON.parse(readFileSync(join(root, 'docs/promises.json'), 'utf8'));
  const ids = new Set(promises.map(({ id }) => id));
  const citations = sourceFiles(root)
    .filter((file) => /^(packages|examples)\/.*\.test\.ts$/.test(file) || suiteCase.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return suiteCase.test(file) ? findQuoted(file, text) : findCitations(file, text);
    });
  const cited = new Set(citations.map(({ id }) => id));
  return {
    unknown: citations.filter(({ id }) => !ids.has(id)),
    uncited: promises.filter(({ id }) => !cited.has(id)),
    repeated: [...ids].filter((id) => promises.filter((promise) => promise.id === id).length > 1),
    total: promises.length,
  };
}

/** Cases of the conformance suite say in a list which promises they are about; our own agent runs them. */
const suiteCase = /^packages\/hooks\/src\/testing\/cases\/[\w-]+\.ts$/;

const id = '(?:codey|koder|contract)(?:\\.[a-z0-9-]+)+';

/**
 * Ids in brackets, one or several: `[codey.turn.counts-up, codey.turn.start-per-model-call]`.
 * @param {string} file
 * @param {string} text
 * @returns {Citation[]}
 */
function findCitations(file, text) {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(new RegExp(`\\[(${id}(?:[, ]+${id})*)\\]`, 'g'))].flatMap(([, ids = '']) =>
        ids.split(/[, ]+/).map((cited) => ({ id: cited, file, line: index + 1 })),
      ),
    );
}

/**
 * Ids as whole strings.
 * @param {string} file
 * @param {string} text
 * @returns {Citation[]}
 */
function findQuoted(file, text) {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(new RegExp(`'(${id})'`, 'g'))].map(([, cited = '']) => ({
      id: cited,
      file,
      line: index + 1,
    })),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const { unknown, uncited, repeated, total } = checkPromises(root);
  for (const { id, promise } of uncited) console.log(`no test cites ${id}: ${promise}`);
  console.log(`${total - uncited.length} of ${total} promises are cited by a test`);
  reportFindings(
    [
      ...unknown.map(
        ({ id, file, line }) => `${file}:${line}  cites ${id}, which docs/promises.json does not have`,
      ),
      ...repeated.map((id) => `docs/promises.json has ${id} more than once`),
    ],
    'Cite an id of docs/promises.json in brackets in the name of the test that proves it.',
  );
}
