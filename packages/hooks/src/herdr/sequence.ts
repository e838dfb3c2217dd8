// The numbers by which herdr tells a late report from a new one.

/**
 * Numbers that only grow, within a process and from one process to the next: microseconds of the wall clock, or one more
 * than the last where the clock was not faster. A counter of its own would start below what a codey before it had sent,
 * and herdr would drop every report without a word.
 */
export function createSequence(nowMs: () => number): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, Math.floor(nowMs() * 1_000));
    return last;
  };
}
