// How long the program takes to start and to run two turns, against bare Node.
// @ts-check
import { interleave, runCommand, spread } from '../measure.mjs';
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
  try {
    const runs = await interleave(
      {
        bare: () => runCommand([node, '-e', '0'], options),
        version: () => runCommand([node, program, '--version'], options),
        scripted: () =>
          runCommand([node, program, '-p', 'x', '--model', `script:${stage.script}`, ...bypass], options),
        wire: () =>
          runCommand([node, program, '-p', 'x', '--model', 'anthropic/claude-bench', ...bypass], options),
      },
      rounds,
    );
    const bare = spread((runs.bare ?? []).map(({ ms }) => ms)).median;
    const row = (/** @type {string} */ name, /** @type {string} */ key, /** @type {number} */ goal) => ({
      name,
      ...spread((runs[key] ?? []).map(({ ms }) => ms)),
      unit: 'ms',
      ratio: spread((runs[key] ?? []).map(({ ms }) => ms)).median / bare,
      against: 'node -e 0',
      goal,
    });
    const memory = (/** @type {string} */ name, /** @type {string} */ key) => ({
      name,
      ...spread((runs[key] ?? []).map(({ peakMb }) => peakMb)),
      unit: 'MB',
    });
    return [
      row('node -e 0', 'bare', 1),
      row('codey --version', 'version', 1.4),
      row('two turns, scripted', 'scripted', 2.5),
      row('two turns, real wire format', 'wire', 5),
      memory('peak memory, scripted', 'scripted'),
      memory('peak memory, wire', 'wire'),
    ];
  } finally {
    await wire.close();
    stage.remove();
  }
}
