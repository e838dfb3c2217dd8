// Listens to a signal that many listen to.
import { setMaxListeners } from 'node:events';

/**
 * Call the result to stop listening. All hooks and tools of a run hang on one signal, so that eleven listeners are
 * ordinary; Node would call them a leak, on the terminal of whoever watches.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
