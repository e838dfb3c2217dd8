// Holds the loop at a turn boundary and lets it go again.

export interface Pause {
  /** Takes effect at the next turn boundary. */
  pause(): void;
  resume(): void;
  readonly requested: boolean;
  /** Resolves at once when nobody paused; else when resumed. Rejects with the signal's reason. */
  passBoundary(
    signal: AbortSignal,
    told: { readonly paused: () => Promise<void>; readonly resumed: () => Promise<void> },
  ): Promise<void>;
}

export function createPause(): Pause {
  let requested = false;
  let release: (() => void) | undefined;
  return {
    pause: () => {
      requested = true;
    },
    resume: () => {
      requested = false;
      release?.();
    },
    get requested() {
      return requested;
    },
    async passBoundary(signal, told) {
      if (!requested) return;
      await told.paused();
      try {
        if (requested)
          await untilReleased(signal, (letGo) => {
            release = letGo;
          });
      } finally {
        release = undefined;
        await told.resumed();
      }
      signal.throwIfAborted();
    },
  };
}

function untilReleased(signal: AbortSignal, keep: (release: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    keep(end);
    if (signal.aborted) end();
  });
}
