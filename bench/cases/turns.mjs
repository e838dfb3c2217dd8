// What hooks add between a tool result and the next request, against starting as many bare processes.
// @ts-check
import { bareSpawns } from '../engine-stage.mjs';
import { interleave, ratio, runCommand, spread } from '../measure.mjs';
import { createStage, program } from '../stage.mjs';
import { startWire } from '../wire.mjs';

/** @param {number} rounds @returns {Promise<readonly import('../report.mjs').Row[]>} */
export async function turns(rounds) {
  const wire = await startWire();
  const stages = { 0: createStage(), 1: createStage(), 10: createStage() };
  stages[1].hooks(1);
  stages[10].hooks(10);
  const between = (/** @type {0 | 1 | 10} */ count) => async () => {
    const stage = stages[count];
    const model = ['--model', 'anthropic/claude-bench', '--permission-mode', 'bypassPermissions'];
    await runCommand([process.execPath, program, '-p', 'x', ...model], {
      cwd: stage.project,
      env: stage.environment({ ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: wire.url }),
    });
    return (await wire.gaps())[0] ?? Number.NaN;
  };
  try {
    const gaps = await interleave(
      {
        none: between(0),
        one: between(1),
        ten: between(10),
        bareOne: () => bareSpawns(1),
        bareTen: () => bareSpawns(10),
      },
      rounds,
    );
    const values = (/** @type {string} */ key) => gaps[key] ?? [];
    const added = (/** @type {string} */ key) =>
      values(key).map((gap, round) => gap - (values('none')[round] ?? Number.NaN));
    return [
      { name: 'between turns, no hook', ...spread(values('none')), unit: 'ms', goal: 20 },
      { name: 'one no-op hook adds', ...spread(added('one')), unit: 'ms' },
      {
        name: 'ten no-op hooks add',
        ...spread(added('ten')),
        unit: 'ms',
        ratio: ratio(added('ten'), values('bareTen')),
        against: 'ten bare spawns',
        goal: 1.3,
      },
    ];
  } finally {
    await wire.close();
    for (const stage of Object.values(stages)) stage.remove();
  }
}
