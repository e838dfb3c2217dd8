// Whether a path, links followed, stays in the roots: a link in a stranger's repository may lead anywhere.
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { isInside } from '@codey/hooks';

/**
 * Of a path that is not there, the nearest folder that is decides. Absolute; the roots are without links as well. False
 * where the system does not tell. Never throws.
 */
export function leadsInside(path: string, roots: readonly string[]): boolean {
  for (let here = path; ; here = dirname(here)) {
    try {
      return isInside(realpathSync(here), roots);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A word too long for a name, such as a pattern, names nothing.
      if (code === 'ENAMETOOLONG') continue;
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(here) === here) return false;
    }
  }
}
