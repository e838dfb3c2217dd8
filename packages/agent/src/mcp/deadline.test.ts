import { expect, it } from 'vitest';
import { startDeadline } from './deadline.ts';

/** Resolves with what the signal was aborted for. */
const ended = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

it('passes only when no form waits for the user any more, however short the time is', async () => {
  const answers = [true, true, false];
  const deadline = startDeadline(1, new AbortController().signal, () => answers.shift() ?? false);
  expect(await ended(deadline.signal)).toEqual(new Error('it did not answer within 0.001 seconds'));
  expect(answers).toEqual([]);
  expect(deadline.passed()).toBe(true);
});

it('is not what ended a call that the user interrupted', async () => {
  const stop = new AbortController();
  const deadline = startDeadline(60_000, stop.signal, () => false);
  const reason = ended(deadline.signal);
  stop.abort(new Error('interrupted'));
  expect(await reason).toEqual(new Error('interrupted'));
  expect(deadline.passed()).toBe(false);
  deadline.end();
});
