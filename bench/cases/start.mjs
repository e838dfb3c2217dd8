// How long the program takes to start and to run two turns, against bare Node, and how much memory that takes.
// @ts-check
import { interleave, ratio, runCommand, spread } from '../measure.mjs';
import { firstPaint } from '../paint.mjs';
import { createStage, program } from '../stage.mjs';
import { startWire } from '../wire.mjs';

const node = process.execPath;
const bypass = ['--permission-mode', 'bypassPermissions'];

/** @param {number} rounds @returns {Promise<readonly import('../report.mjs').Row[]>} */
export async function start(rounds) {
  const stage = createStage();
  const wire = await startWire();
  const options = {
    cwd: stage.project,
    env: stage.environment({ ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: wire.url }),
  };
  const codey = (/** @type {readonly string[]} */ args) => () =>
    runCommand([node, program, ...args], options);
  try {
    const runs = await interleave(
      {
        bare: () => runCommand([node, '-e', '0'], options),
        version: codey(['--version']),
        help: codey(['--help']),
        scripted: codey(['-p', 'x', '--model', `script:${stage.script}`, ...bypass]),
        wire: codey(['-p', 'x', '--model', 'anthropic/claude-bench', ...bypass]),
        paint: async () => ({
          ms: await firstPaint([program, '--model', `script:${stage.script}`], options),
          peakMb: 0,
        }),
      },
      rounds,
    );
    const times = (/** @type {string} */ key) => (runs[key] ?? []).map(({ ms }) => ms);
    const row = (/** @type {string} */ name, /** @type {string} */ key, /** @type {number} */ goal) => ({
      name,
      ...spread(times(key)),
      unit: 'ms',
      ratio: ratio(times(key), times('bare')),
      against: 'node -e 0',
      goal,
    });
    const memory = (/** @type {string} */ name, /** @type {string} */ key, /** @type {number} */ goal) => ({
      name,
      ...spread((runs[key] ?? []).map(({ peakMb }) => peakMb)),
      unit: 'MB',
      goal,
    });
    return [
      row('node -e 0', 'bare', 1),
      row('codey --version', 'version', 1.1),
      row('codey --help', 'help', 1.5),
      row('two turns, scripted', 'scripted', 2),
      row('two turns, real wire format', 'wire', 4),
      row('first paint', 'paint', 3),
      memory('peak memory, scripted', 'scripted', 90),
      memory('peak memory, wire', 'wire', 90),
    ];
  } finally {
    await wire.close();
    stage.remove();
  }
}
