// How long hooks keep the event loop, and with it the screen, from turning: Node copies its page tables for each process.
// @ts-check
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { noops, openEngine } from '../engine-stage.mjs';
import { interleave, spread } from '../measure.mjs';
import { loadHooksPackage } from '../package.mjs';
import { createStage } from '../stage.mjs';

const bigMb = 300;
/** Ten hooks each, so that the 99th of a hundred delays means something. */
const dispatches = 20;

/** @param {number} rounds @returns {Promise<readonly import('../report.mjs').Row[]>} */
export async function screen(rounds) {
  const hooks = await loadHooksPackage();
  const stage = createStage();
  const engine = await openEngine(hooks, stage, noops(10));
  const delayed = (/** @type {() => unknown} */ hold) => async () => {
    const held = [hold()];
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    for (let index = 0; index < dispatches; index += 1) await engine.ask();
    delay.disable();
    // Used once more, so that it is held until here.
    return held.length * (delay.percentile(99) / 1e6);
  };
  const buffers = () => Buffer.alloc(bigMb * 1024 * 1024, 1);
  try {
    const runs = await interleave(
      { small: delayed(() => 'nothing'), buffers: delayed(buffers) },
      Math.min(rounds, 5),
    );
    const row = (/** @type {string} */ name, /** @type {string} */ key) => ({
      name: `loop delay p99 while ten hooks run, ${name}`,
      ...spread(runs[key] ?? []),
      unit: 'ms',
    });
    return [row('small', 'small'), row(`${bigMb} MB of buffers`, 'buffers')];
  } finally {
    await engine.close();
    stage.remove();
  }
}
