import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { onAbort } from './on-abort.ts';

it('takes as many listeners as there are hooks without a warning, and lets each go', async () => {
  const warnings: Error[] = [];
  const collect = (warning: Error): void => void warnings.push(warning);
  process.on('warning', collect);
  const interrupt = new AbortController();
  const heard: number[] = [];
  const ignores = Array.from({ length: 20 }, (_, index) =>
    onAbort(interrupt.signal, () => void heard.push(index)),
  );
  for (const ignore of ignores.slice(1)) ignore();
  interrupt.abort();
  await sleep(1);
  process.off('warning', collect);
  expect([heard, warnings]).toEqual([[0], []]);
});
