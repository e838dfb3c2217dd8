// What the engine itself costs: dispatches without a match, each kind of handler, the journal, loading many hooks.
// @ts-check
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareSpawns, noops, openEngine, openJournal, unmatched } from '../engine-stage.mjs';
import { interleave, ratio, spread } from '../measure.mjs';
import { loadHooksPackage } from '../package.mjs';
import { createStage } from '../stage.mjs';

/** A worker that has nothing to say, without the time that readline takes. */
const echo = `let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) process.stdout.write(JSON.stringify({ id: JSON.parse(line).id }) + '\\n');
});
`;

/** @param {number} rounds @returns {Promise<readonly import('../report.mjs').Row[]>} */
export async function engine(rounds) {
  const hooks = await loadHooksPackage();
  const stage = createStage();
  const worker = join(stage.folder, 'worker.mjs');
  writeFileSync(worker, echo);
  const server = createServer((_, response) => response.end());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const journal = await openJournal(hooks, stage);
  const engines = {
    200: await openEngine(hooks, stage, unmatched(200)),
    1000: await openEngine(hooks, stage, unmatched(1000)),
    journaled: await openEngine(hooks, stage, unmatched(1), { journal }),
    command: await openEngine(hooks, stage, noops(1)),
    ten: await openEngine(hooks, stage, noops(10)),
    worker: await openEngine(hooks, stage, {
      PreToolUse: [{ hooks: [{ type: 'worker', command: process.execPath, args: [worker] }] }],
    }),
    http: await openEngine(hooks, stage, { PreToolUse: [{ hooks: [{ type: 'http', url }] }] }),
  };
  const ask = (/** @type {keyof typeof engines} */ key, /** @type {number} */ times) => async () => {
    const started = performance.now();
    for (let index = 0; index < times; index += 1) await engines[key].ask();
    if (key === 'journaled') await journal.flush();
    return (performance.now() - started) / times;
  };
  try {
    const runs = await interleave(
      {
        200: ask(200, 2_000),
        1000: ask(1000, 500),
        journaled: ask('journaled', 500),
        command: ask('command', 20),
        ten: ask('ten', 5),
        worker: ask('worker', 1_000),
        http: ask('http', 100),
        bare: () => average(20, () => bareSpawns(1)),
        bareTen: () => average(5, () => bareSpawns(10)),
        load100: () => timed(() => openEngine(hooks, stage, unmatched(100))),
        load: () => timed(() => openEngine(hooks, stage, unmatched(1000))),
      },
      rounds,
    );
    const values = (/** @type {string} */ key) => runs[key] ?? [];
    const scaled = (/** @type {string} */ key) => spread(values(key).map((value) => value * 1000));
    return [
      { name: 'dispatch without a match, 200 hooks', ...scaled('200'), unit: 'µs', goal: 10 },
      { name: 'dispatch without a match, 1,000 hooks', ...scaled('1000'), unit: 'µs' },
      { name: 'the same with the journal, line on disk', ...scaled('journaled'), unit: 'µs' },
      {
        name: 'one command hook',
        ...spread(values('command')),
        unit: 'ms',
        ratio: ratio(values('command'), values('bare')),
        against: 'one bare spawn',
        goal: 1.3,
      },
      {
        name: 'ten command hooks side by side',
        ...spread(values('ten')),
        unit: 'ms',
        ratio: ratio(values('ten'), values('bareTen')),
        against: 'ten bare spawns',
        goal: 1.3,
      },
      {
        name: 'worker round trip',
        ...spread(values('worker')),
        unit: 'ms',
        ratio: ratio(values('worker'), values('command')),
        against: 'one command hook',
        goal: 0.05,
      },
      {
        name: 'http round trip',
        ...spread(values('http')),
        unit: 'ms',
        ratio: ratio(values('http'), values('command')),
        against: 'one command hook',
      },
      {
        name: 'load 1,000 hooks',
        ...spread(values('load')),
        unit: 'ms',
        ratio: ratio(values('load'), values('load100')),
        against: 'loading 100',
        goal: 10,
      },
    ];
  } finally {
    for (const opened of Object.values(engines)) await opened.close();
    await journal.close();
    await new Promise((resolve) => server.close(resolve));
    stage.remove();
  }
}

/** @param {number} times @param {() => Promise<number>} once */
async function average(times, once) {
  let sum = 0;
  for (let index = 0; index < times; index += 1) sum += await once();
  return sum / times;
}

/** @param {() => Promise<{ close: () => Promise<void> }>} work */
async function timed(work) {
  const started = performance.now();
  const opened = await work();
  const ms = performance.now() - started;
  await opened.close();
  return ms;
}
