import { expect, it } from 'vitest';
import { looserThan, modesByStrictness, stricterOf } from './strictness.ts';

it('gives the stricter of two modes, whichever comes first [contract.agent.never-looser]', () => {
  for (const [at, strict] of modesByStrictness.entries()) {
    for (const loose of modesByStrictness.slice(at)) {
      expect(stricterOf(strict, loose)).toBe(strict);
      expect(stricterOf(loose, strict)).toBe(strict);
    }
  }
  expect(looserThan('default', 'dontAsk')).toBe(true);
  expect(looserThan('plan', 'plan')).toBe(false);
});
