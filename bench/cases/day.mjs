// A working day in about a minute, at a tenth of its size: nothing may be left of it but the journal.
// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { openEngine, openJournal } from '../engine-stage.mjs';
import { spread } from '../measure.mjs';
import { loadHooksPackage } from '../package.mjs';
import { createStage } from '../stage.mjs';

const events = 100_000;
const hookRuns = 10_000;
const parts = 10;

/** @returns {Promise<readonly import('../report.mjs').Row[]>} */
export async function day() {
  const hooks = await loadHooksPackage();
  const stage = createStage();
  const journal = await openJournal(hooks, stage);
  const quiet = await openEngine(hooks, stage, { PostToolUse: [] }, { journal });
  const busy = await openEngine(
    hooks,
    stage,
    { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] },
    { journal },
  );
  const started = performance.now();
  const memory = [];
  const descriptors = [];
  try {
    for (let part = 0; part < parts; part += 1) {
      for (let index = 0; index < events / parts; index += 1) await quiet.ask();
      for (let index = 0; index < hookRuns / parts / 10; index += 1)
        await Promise.all(Array.from({ length: 10 }, () => busy.ask()));
      await journal.flush();
      globalThis.gc?.();
      memory.push(process.memoryUsage().heapUsed / 1024 / 1024);
      descriptors.push(readdirSync('/proc/self/fd').length);
    }
    const seconds = (performance.now() - started) / 1000;
    await quiet.close();
    await busy.close();
    const grown = (/** @type {readonly number[]} */ values) => (values.at(-1) ?? 0) - (values[1] ?? 0);
    const exact = (
      /** @type {string} */ name,
      /** @type {number} */ value,
      /** @type {string} */ unit,
      goal = 0,
    ) => ({
      name,
      ...spread([value]),
      unit,
      goal,
    });
    return [
      {
        name: `a day: ${events.toLocaleString('en-US')} events, ${hookRuns.toLocaleString('en-US')} hooks`,
        ...spread([seconds]),
        unit: 's',
      },
      exact('heap grown in it', grown(memory), 'MB', 2),
      exact('descriptors grown in it', grown(descriptors), 'open'),
      exact('processes left of it', await left(), 'alive'),
    ];
  } finally {
    await journal.close();
    stage.remove();
  }
}

/** What is there a second after the end, when the fork server has seen that its input is over. */
async function left() {
  for (let look = 0; look < 100 && childrenOf(process.pid) > 0; look += 1) await sleep(10);
  return childrenOf(process.pid);
}

/** @param {number} pid */
function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim())
    .filter((children) => children !== '')
    .flatMap((children) => children.split(' ')).length;
}
