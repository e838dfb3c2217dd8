// Where a path leads as the kernel goes through it: part by part, so that `..` climbs out of where a link led.
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The real place of an absolute path that may hold `..` behind a link; parts that do not exist stand for themselves, and
 * a dangling link for the place that writing to it would make. Undefined where that cannot be told, as for what leads
 * through `/proc`, where every process sees something else. Never throws.
 */
export function followPath(path: string): string | undefined {
  const ahead = path.split('/').reverse();
  let here = '/';
  let links = 0;
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      here = dirname(here);
      continue;
    }
    const next = here === '/' ? `/${part}` : `${here}/${part}`;
    if (next === '/proc') return undefined;
    const target = linkAt(next);
    if (target === undefined || (target !== null && ++links > mostLinks)) return undefined;
    if (target === null) here = next;
    else {
      if (target.startsWith('/')) here = '/';
      ahead.push(...target.split('/').reverse());
    }
  }
  return here;
}

/** As many as the kernel follows. */
const mostLinks = 40;

/** What a link holds; null for all that is none, undefined where the system does not tell. */
function linkAt(path: string): string | null | undefined {
  try {
    const found: Stats | undefined = lstatSync(path, { throwIfNoEntry: false });
    return found?.isSymbolicLink() ? readlinkSync(path) : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A word too long for a name, such as a pattern, names nothing.
    return code === 'ENOTDIR' || code === 'ENAMETOOLONG' ? null : undefined;
  }
}
