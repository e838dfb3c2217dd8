// After a process ended: waits for what it had printed, not for whoever else holds its pipes.
import { monotonicMs } from '../monotonic.ts';

/** Nothing for this long and the rest is somebody else's. */
const quietMs = 50;
/** The most that is added to a run when a grandchild keeps printing. */
const longestMs = 500;

/** Resolves when the streams closed, when nothing came for a while, or after half a second at the latest. */
export function drain(closed: Promise<void>, bytesSeen: () => number): Promise<void> {
  return new Promise((resolve) => {
    const latest = monotonicMs() + longestMs;
    let seen = bytesSeen();
    let timer = setTimeout(look, quietMs);

    function look() {
      // A busy event loop runs timers before it reads: one turn more, so that data waiting behind this timer counts.
      setImmediate(() => {
        const now = bytesSeen();
        if (now === seen || monotonicMs() >= latest) return resolve();
        seen = now;
        timer = setTimeout(look, quietMs);
      });
    }
    void closed.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
