import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { buildProgram } from './fixtures/build-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'pipes-left-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a program that leaves at once leaves no pipes that were being made', async () => {
  const leaver = await buildProgram('hasty-leaver', folder);
  const place = join(folder, 'place');
  mkdirSync(place);
  for (const delay of [0, 0, 1, 2, 3, 5]) {
    expect(spawnSync(process.execPath, [leaver, place, String(delay)]).status).toBe(0);
    expect(readdirSync(place)).toEqual([]);
  }
});
