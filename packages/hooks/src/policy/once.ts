// Keeps `once` hooks to one start a session, also when two calls ask at the same moment.

/** Remembers which `once` hooks of a session were started. */
export interface OncePort {
  /** True when this dispatch may start the hook: nobody has, or this very dispatch already did. */
  claim(identity: string, dispatch: string): boolean;
  /** The hook really started: spent for the session, whatever comes of it. */
  spend(identity: string): void;
  /** The dispatch did not start it after all: the next one may. */
  release(identity: string, dispatch: string): void;
}

/**
 * `spent` is what an earlier part of the session used up; `onSpend` is told of each new one, so that the host can keep
 * it across a resume.
 */
export function createOnce(
  spent: Iterable<string> = [],
  onSpend: (identity: string) => void = () => {},
): OncePort {
  const used = new Set(spent);
  const claims = new Map<string, string>();
  return {
    claim(identity, dispatch) {
      const holder = claims.get(identity);
      if (holder !== undefined) return holder === dispatch;
      if (used.has(identity)) return false;
      claims.set(identity, dispatch);
      return true;
    },
    spend(identity) {
      if (used.has(identity)) return;
      used.add(identity);
      onSpend(identity);
    },
    release(identity, dispatch) {
      if (claims.get(identity) === dispatch && !used.has(identity)) claims.delete(identity);
    },
  };
}
