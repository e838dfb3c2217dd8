// How long hooks keep the event loop, and with it the screen, from turning: Node copies its page tables for each process.
// @ts-check
import { fork } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { noops, openEngine } from '../engine-stage.mjs';
import { interleave, spread } from '../measure.mjs';
import { loadHooksPackage } from '../package.mjs';
import { createStage } from '../stage.mjs';

const self = fileURLToPath(import.meta.url);
const heldMb = 300;
/** Ten hooks each. */
const dispatches = 30;

/** What a session may hold while hooks run. */
const holdings = {
  nothing: () => [],
  // A conversation: V8 keeps its own heap out of what a new process shares.
  text: () =>
    Array.from({ length: heldMb }, (_, index) => Buffer.alloc(1024 * 1024, 97 + (index % 26)).toString()),
  buffers: () => [Buffer.alloc(heldMb * 1024 * 1024, 1)],
};

if (process.argv[2] === 'measure' && process.send !== undefined) process.send(await measure(process.argv[3]));

/** @param {number} rounds @returns {Promise<readonly import('../report.mjs').Row[]>} */
export async function screen(rounds) {
  const runs = await interleave(
    Object.fromEntries(Object.keys(holdings).map((held) => [held, () => measured(held)])),
    Math.min(rounds, 5),
  );
  const row = (/** @type {string} */ name, /** @type {string} */ held, /** @type {number} */ goal) => ({
    name: `loop delay p99 while ten hooks run, ${name}`,
    ...spread(runs[held] ?? []),
    unit: 'ms',
    goal,
  });
  return [
    row('small session', 'nothing', 15),
    row(`${heldMb} MB of text`, 'text', 15),
    row(`${heldMb} MB of buffers`, 'buffers', 15),
  ];
}

/** A process of its own, since the memory of this one would count. @param {string} held @returns {Promise<number>} */
function measured(held) {
  return new Promise((resolve, reject) => {
    const child = fork(self, ['measure', held], { stdio: 'inherit' });
    child.once('message', (/** @type {number} */ delay) => resolve(delay));
    child.once('exit', (code) => reject(new Error(`the measuring process ended with exit code ${code}`)));
  });
}

/** @param {string | undefined} name */
async function measure(name) {
  const hooks = await loadHooksPackage();
  const stage = createStage();
  const engine = await openEngine(hooks, stage, noops(10), { screen: true });
  const held = Object.entries(holdings).find(([key]) => key === name)?.[1]() ?? [];
  await engine.ask();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let index = 0; index < dispatches; index += 1) await engine.ask();
  delay.disable();
  await engine.close();
  stage.remove();
  // Its length is asked for here, so that it is held until now.
  return held.length < 0 ? 0 : delay.percentile(99) / 1e6;
}
