// The licences of everything that ends up in the bundle, as their authors ask to be passed on.
// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * @param {string} product What contains them.
 * @param {string} base Directory that the input paths are relative to.
 * @param {readonly string[]} inputs Files that were bundled.
 * @returns {string}
 */
export function noticesFor(product, base, inputs) {
  const folders = new Set(inputs.flatMap((input) => packageFolder(resolve(base, input))));
  const entries = [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$|-)/i.test(entry));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return `${product} contains the following packages.\n\n${entries.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/**
 * The folder of the installed package a file belongs to; none for our own files, which are no third party's.
 * @param {string} file
 * @returns {string[]}
 */
function packageFolder(file) {
  const [, prefix, name] =
    /^(.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/')) ?? [];
  if (prefix === undefined || name === undefined) return [];
  const folder = join(prefix, name);
  return existsSync(join(folder, 'package.json')) ? [folder] : [];
}
