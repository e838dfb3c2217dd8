// What starts come from: compiled code beside the program, the user's own, or the text alone.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheName } from '../../../bin/load.js';
import { findOwnCache, isTrusted } from '../../../bin/own-cache.js';
import type { Check } from './finding.ts';

export const checkCodeCache: Check = async ({ world: { environment } }) => {
  // As seen from a chunk of the bundle, which is all that is ever run out of a cache.
  const beside = join(fileURLToPath(new URL('../cache', import.meta.url)), cacheName());
  if (existsSync(beside)) return [taken(beside)];
  const own = findOwnCache(environment);
  if (own === undefined) {
    const why = environment.NODE_DISABLE_COMPILE_CACHE
      ? 'NODE_DISABLE_COMPILE_CACHE is set'
      : 'HOME names no folder to keep it in';
    return [{ about: 'starts', state: 'ok', what: `the program is compiled at each: ${why}` }];
  }
  if (!isTrusted(own))
    return [
      {
        about: 'starts',
        state: 'warning',
        what: `the program is compiled at each: ${own.root} is no folder that you alone may write`,
        todo: `rm -r ${own.root}`,
      },
    ];
  return existsSync(own.folder)
    ? [taken(own.folder)]
    : [{ about: 'starts', state: 'ok', what: `what runs compile will be kept in ${own.folder}` }];
};

function taken(folder: string) {
  return { about: 'starts', state: 'ok', what: `compiled code is taken from ${folder}` } as const;
}
