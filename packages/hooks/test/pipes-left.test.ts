import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createForkServer } from '../src/runners/fork-server.ts';
import { createPipeSupply, discardPipes } from '../src/runners/output-pipes.ts';
import { buildProgram } from './fixtures/build-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'pipes-left-'));
const place = join(folder, 'place');
const delays = ['0', '0', '1', '2', '3', '5', '8'];
let leaver = '';

beforeAll(async () => {
  leaver = await buildProgram('hasty-leaver', folder);
  mkdirSync(place);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each(['leaves', 'is killed'])('the pipes of a program that %s meanwhile go soon after it', async (way) => {
  for (const delay of delays) {
    spawnSync(process.execPath, [leaver, place, delay, way]);
    await expect.poll(() => readdirSync(place)).toEqual([]);
  }
});

it('pipes are made in the next directory where the first cannot be used, and in none where no other is', async () => {
  const pipes = await createPipeSupply({ directories: [join(folder, 'missing'), place] }).take();
  expect(pipes).toHaveLength(2);
  discardPipes(pipes);
  expect(await createPipeSupply({ directories: [join(folder, 'missing')] }).take()).toBeUndefined();
  await expect.poll(() => readdirSync(place)).toEqual([]);
});

it('a maker that has no descriptors left is not asked again', async () => {
  const forks = { ...createForkServer(), makePipes: async () => [] };
  expect(await createPipeSupply({ forks, directories: [] }).take()).toBeUndefined();
});

it.runIf(process.platform === 'linux')(
  'a supply that is closed holds none, also of those being made',
  async () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    const supply = createPipeSupply({ directories: [own] });
    const taken = await supply.take();
    expect(heldFrom(own)).toBeGreaterThan(0);
    supply.prepare(32);
    supply.close();
    await supply.idle();
    discardPipes(taken);
    expect([heldFrom(own), await supply.take()]).toEqual([0, undefined]);
  },
);

/** How many descriptors of this process are pipes that were made in `directory`. */
function heldFrom(directory: string): number {
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(directory);
    } catch {
      return false;
    }
  }).length;
}
