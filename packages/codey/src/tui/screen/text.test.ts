import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { copyOf } from './text.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it.each(['plain', 'with – and 😀', '\u001b[2mdim\u001b[22m', ''])('copies %j as it is', (text) => {
  expect(copyOf(text)).toBe(text);
});

it('keeps nothing of the text that what is copied was cut out of', () => {
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: 10 }, (_, index) =>
    copyOf(`${index}${'x'.repeat(1_000_000)}`.slice(0, 100)),
  );
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  expect(kept).toHaveLength(10);
});
