// Draws at most thirty times a second, however often something changes.
import type { Clock } from './clock.ts';

export interface Frames {
  /** Something changed: it is drawn at once if the last frame is old enough, else with the next one. */
  changed(): void;
  /** A frame was drawn by somebody else, for a key. */
  drawn(): void;
  stop(): void;
}

export const frameMs = 1000 / 30;

export function createFrames(draw: () => void, clock: Clock): Frames {
  let last = Number.NEGATIVE_INFINITY;
  let takeBack: (() => void) | undefined;

  const run = (): void => {
    takeBack = undefined;
    last = clock.now();
    draw();
  };
  return {
    changed() {
      takeBack ??= clock.after(Math.max(0, last + frameMs - clock.now()), run);
    },
    drawn() {
      takeBack?.();
      takeBack = undefined;
      last = clock.now();
    },
    stop() {
      takeBack?.();
      takeBack = undefined;
    },
  };
}
