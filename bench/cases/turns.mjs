// From a tool's result to the next request, and what hooks add between two turns, against starting as many bare processes.
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
    return (await wire.gaps())[0] ?? { sinceAnswer: Number.NaN, sinceResult: Number.NaN };
  };
  try {
    const rows = await interleave(
      {
        none: between(0),
        one: between(1),
        ten: between(10),
        bareTen: async () => ({ sinceAnswer: await bareSpawns(10), sinceResult: Number.NaN }),
      },
      rounds,
    );
    const values = (/** @type {string} */ key) => (rows[key] ?? []).map(({ sinceAnswer }) => sinceAnswer);
    const added = (/** @type {string} */ key) =>
      values(key).map((gap, round) => gap - (values('none')[round] ?? Number.NaN));
    return [
      {
        name: 'from a tool result to the next request, no hook',
        ...spread((rows.none ?? []).map(({ sinceResult }) => sinceResult)),
        unit: 'ms',
        goal: 20,
      },
      { name: 'between turns, the tool included, no hook', ...spread(values('none')), unit: 'ms' },
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
