// Looks at paths once for all hooks that are checked in the same moment.
import { createLinkResolver, type ResolveLinks } from '../condition/path.ts';
import { type FolderListing, listFolder } from './folder.ts';
import { type Look, lookAt } from './look.ts';
import { type Stamp, stampOf } from './stamp.ts';

export interface Inspection {
  stamp(path: string): Stamp;
  look(path: string): Promise<Look>;
  list(folder: string): Promise<FolderListing>;
  /** Where a path that is not there yet would lie. May reject. */
  readonly resolveLinks: ResolveLinks;
}

/** Remembers what it saw for as long as it lives: one that is kept sees no change. */
export function createInspection(now: () => number): Inspection {
  return {
    stamp: remember((path) => stampOf(path, now())),
    look: remember((path) => lookAt(path, now)),
    list: remember((folder) => listFolder(folder, now)),
    resolveLinks: createLinkResolver(),
  };
}

/**
 * Gives everyone who asks before the program goes on waiting the same inspection, and the next one a new one: the
 * hooks of one dispatch share their looks, and those of the next see the disk as it is then.
 */
export function sharedInspection(now: () => number): () => Inspection {
  let current: Inspection | undefined;
  return () => {
    if (current === undefined) {
      current = createInspection(now);
      queueMicrotask(() => {
        current = undefined;
      });
    }
    return current;
  };
}

function remember<T>(ask: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    const answer = known.has(path) ? (known.get(path) as T) : ask(path);
    known.set(path, answer);
    return answer;
  };
}
