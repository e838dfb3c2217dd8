// How much time has passed, whatever is done to the machine's clock.

/**
 * Milliseconds since some moment, only for differences. Not `performance.now()`: Node loads its module at the first
 * call, which a short run would notice.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
