// What hooks add between a tool result and the next request, against starting as many bare processes.
// @ts-check
import { spawn } from 'node:child_process';
import { interleave, runCommand, spread } from '../measure.mjs';
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
    await runCommand(
      [
        process.execPath,
        program,
        '-p',
        'x',
        '--model',
        'anthropic/claude-bench',
        '--permission-mode',
        'bypassPermissions',
      ],
      {
        cwd: stage.project,
        env: stage.environment({ ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: wire.url }),
      },
    );
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
    const difference = (/** @type {string} */ key) =>
      (gaps[key] ?? []).map((gap, index) => gap - (gaps.none?.[index] ?? Number.NaN));
    return [
      { name: 'between turns, no hook', ...spread(gaps.none ?? []), unit: 'ms' },
      row('one no-op hook adds', difference('one'), spread(gaps.bareOne ?? []).median, 'one bare spawn', 1.3),
      row(
        'ten no-op hooks add',
        difference('ten'),
        spread(gaps.bareTen ?? []).median,
        'ten bare spawns',
        1.3,
      ),
    ];
  } finally {
    await wire.close();
    for (const stage of Object.values(stages)) stage.remove();
  }
}

/** @param {string} name @param {readonly number[]} values @param {number} base @param {string} against @param {number} goal */
function row(name, values, base, against, goal) {
  const measured = spread(values);
  return { name, ...measured, unit: 'ms', ratio: measured.median / base, against, goal };
}

/** `sh -c true` with pipes, started side by side from a process of this size. @param {number} count */
async function bareSpawns(count) {
  const started = performance.now();
  await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve) => {
          const child = spawn('/bin/sh', ['-c', 'true'], {
            stdio: ['ignore', 'pipe', 'pipe'],
            detached: true,
          });
          child.stdout.resume();
          child.stderr.resume();
          child.on('close', resolve);
        }),
    ),
  );
  return performance.now() - started;
}
