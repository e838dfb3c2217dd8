// Durations as people read them.

/** `35 ms`, `1.2 s`, `12 s`, `3 min 4 s`. */
export function sayDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Of what still goes on, or how long ago it was: in whole seconds, so that what counts side by side agrees. `0 s`, `12 s`. */
export function saySeconds(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000);
  return seconds < 60 ? `${seconds} s` : sayDuration(seconds * 1_000);
}

/** `950`, `12.3k`, `1.2M`. */
export function sayCount(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
