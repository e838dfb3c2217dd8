// The time one call may take, which stands still while a form of its server waits for the user.

export interface CallDeadline {
  readonly signal: AbortSignal;
  readonly passed: () => boolean;
  /** Lets go of the timer. */
  readonly end: () => void;
}

/** `waiting` is asked when the time is up: while it holds, the time begins anew. */
export function startDeadline(ms: number, stop: AbortSignal, waiting: () => boolean): CallDeadline {
  const late = new AbortController();
  const check = (): void => {
    if (waiting()) timer = setTimeout(check, ms);
    else late.abort(new Error(`it did not answer within ${ms / 1_000} seconds`));
  };
  let timer = setTimeout(check, ms);
  return {
    signal: AbortSignal.any([stop, late.signal]),
    passed: () => late.signal.aborted && !stop.aborted,
    end: () => clearTimeout(timer),
  };
}
