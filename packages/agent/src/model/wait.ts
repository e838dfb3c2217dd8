// Waits that end at once when the run is interrupted.

/** Resolves after `ms`, or rejects with the signal's reason as soon as it is aborted; leaves no timer behind. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export const waitOnClock: Wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
