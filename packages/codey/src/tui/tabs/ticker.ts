// Draws again while time itself changes what is seen: seconds that count, a sign that turns.
import type { Clock } from '../screen/clock.ts';
import { agentsAtWork, runningShell } from '../state/at-work.ts';
import type { Tab } from '../state/tab.ts';

export interface Ticker {
  /** Something about the tabs changed. */
  look(): void;
  stop(): void;
}

export const tickMs = 160;

export function createTicker(clock: Clock, draw: () => void, tab: () => Tab | undefined): Ticker {
  let takeBack: (() => void) | undefined;
  let stopped = false;

  const tick = (): void => {
    takeBack = undefined;
    draw();
    look();
  };
  const look = (): void => {
    if (!stopped && isMoving(tab())) takeBack ??= clock.after(tickMs, tick);
  };
  return {
    look,
    stop() {
      stopped = true;
      takeBack?.();
    },
  };
}

function isMoving(tab: Tab | undefined): boolean {
  if (tab === undefined) return false;
  const { run, phase, pausing, hooks } = tab;
  return (
    (run !== undefined && pausing !== 'held') ||
    phase === 'opening' ||
    phase === 'closing' ||
    hooks.running.length > 0 ||
    agentsAtWork(tab).length > 0 ||
    runningShell(tab) !== undefined
  );
}
