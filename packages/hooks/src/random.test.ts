import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createRandom, randomId } from './random.ts';

it('an identifier is a UUID of version 4, and another each time', () => {
  const ids = Array.from({ length: 64 }, () => randomId());
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

it('every bit that is not the version of an identifier is now one and now the other', () => {
  const ids = Array.from({ length: 256 }, () => BigInt(`0x${randomId().replaceAll('-', '')}`));
  const always = ids.reduce((all, id) => all & id);
  const ever = ids.reduce((all, id) => all | id);
  // The version and the variant: 0100 and 10.
  expect(always.toString(16)).toBe('40008000000000000000');
  expect(ever.toString(16)).toBe('ffffffffffff4fffbfffffffffffffff');
});

it.each([
  ['is missing', () => {}],
  ['is a file that somebody put there', (device: string) => writeFileSync(device, 'a'.repeat(64))],
])('bytes are random too where the device %s', (_, make) => {
  const folder = mkdtempSync(join(tmpdir(), 'random-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const device = join(folder, 'urandom');
  make(device);
  const randomBytes = createRandom(device);
  const [one, other] = [randomBytes(16), randomBytes(16)];
  expect([one.length, other.length]).toEqual([16, 16]);
  expect(one.equals(other)).toBe(false);
  expect(one.toString()).not.toContain('aaaa');
});
