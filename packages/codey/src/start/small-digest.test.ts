import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { sha256 } from './small-digest.ts';

it.each(['', '/home/me/project', '/home/grün/✓ 🙂', '/x'.repeat(5_000)])(
  'names projects as node:crypto would: %s',
  (text) => {
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
  },
);
