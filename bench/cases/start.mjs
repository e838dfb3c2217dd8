// How long the program takes to start and to run two turns, against bare Node, and how much memory that takes.
// @ts-check
import { execFileSync } from 'node:child_process';
import { interleave, ratio, runCommand, spread } from '../measure.mjs';
import { firstPaint } from '../paint.mjs';
import { createStage, program } from '../stage.mjs';
import { startWire } from '../wire.mjs';

/** @typedef {import('../report.mjs').Row} Row */

const bypass = ['--permission-mode', 'bypassPermissions'];

/**
 * @param {number} rounds
 * @param {readonly string[]} otherNodes Programs of other versions, measured in the same rounds.
 * @returns {Promise<readonly Row[]>}
 */
export async function start(rounds, otherNodes = []) {
  const stage = createStage();
  const wire = await startWire();
  const options = {
    cwd: stage.project,
    env: stage.environment({ ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: wire.url }),
  };
  const scripted = ['-p', 'x', '--model', `script:${stage.script}`, ...bypass];
  const onWire = ['-p', 'x', '--model', 'anthropic/claude-bench', ...bypass];
  const codey = (/** @type {string} */ node, /** @type {readonly string[]} */ args) => () =>
    runCommand([node, program, ...args], options);
  const starts = (/** @type {string} */ node) => ({
    [`${node} bare`]: () => runCommand([node, '-e', '0'], options),
    [`${node} version`]: codey(node, ['--version']),
    [`${node} scripted`]: codey(node, scripted),
    [`${node} wire`]: codey(node, onWire),
  });
  const own = process.execPath;
  try {
    // A Node that did not build the program finds its own code cache from the second run on.
    for (const node of otherNodes) for (const args of [scripted, onWire]) await codey(node, args)();
    const runs = await interleave(
      {
        ...starts(own),
        help: codey(own, ['--help']),
        paint: async () => ({
          ms: await firstPaint([program, '--model', `script:${stage.script}`], options),
          peakMb: 0,
        }),
        ...Object.assign({}, ...otherNodes.map(starts)),
      },
      rounds,
    );
    const times = (/** @type {string} */ key) => (runs[key] ?? []).map(({ ms }) => ms);
    /** @returns {Row} */
    const row = (
      /** @type {string} */ name,
      /** @type {string} */ key,
      /** @type {number} */ goal,
      /** @type {string} */ node = own,
    ) => ({
      name,
      ...spread(times(key)),
      unit: 'ms',
      ratio: ratio(times(key), times(`${node} bare`)),
      against: 'node -e 0',
      goal,
    });
    /** @returns {Row} */
    const memory = (/** @type {string} */ name, /** @type {string} */ key, /** @type {number} */ goal) => ({
      name,
      ...spread((runs[key] ?? []).map(({ peakMb }) => peakMb)),
      unit: 'MB',
      goal,
    });
    return [
      row('node -e 0', `${own} bare`, 1),
      row('codey --version', `${own} version`, 1.1),
      row('codey --help', 'help', 1.5),
      row('two turns, scripted', `${own} scripted`, 2),
      row('two turns, real wire format', `${own} wire`, 4),
      row('first paint', 'paint', 3),
      memory('peak memory, scripted', `${own} scripted`, 90),
      memory('peak memory, wire', `${own} wire`, 90),
      ...otherNodes.flatMap((node) => {
        const version = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
        const [major] = version.split('.');
        return [
          row(`node -e 0, Node ${major}`, `${node} bare`, 1, node),
          row(`codey --version, Node ${major}`, `${node} version`, 1.1, node),
          row(`two turns, scripted, Node ${major}`, `${node} scripted`, 2, node),
          row(`two turns, real wire format, Node ${major}`, `${node} wire`, 3, node),
        ];
      }),
    ];
  } finally {
    await wire.close();
    stage.remove();
  }
}
