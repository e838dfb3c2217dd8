// Whether a path, links followed, stays in the roots: a link in a stranger's repository may lead anywhere.
import { isInside } from '@codey/hooks';
import { followPath } from './follow-path.ts';

/**
 * Absolute, `..` still in it; the roots are without links. Where it would be decides about a path that is not there. False
 * where the system does not tell. Never throws.
 */
export function leadsInside(path: string, roots: readonly string[]): boolean {
  const real = followPath(path);
  return real !== undefined && isInside(real, roots);
}
