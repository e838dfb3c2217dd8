// What the engine itself costs: dispatches without a match, handlers, loading many hooks.
// @ts-check
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { interleave, spread } from '../measure.mjs';
import { loadHooksPackage } from '../package.mjs';
import { createStage } from '../stage.mjs';

/** @param {number} rounds @returns {Promise<readonly import('../report.mjs').Row[]>} */
export async function engine(rounds) {
  const hooks = await loadHooksPackage();
  const stage = createStage();
  const unmatched = (/** @type {number} */ count) => ({
    PreToolUse: Array.from({ length: count }, (_, index) => ({
      matcher: `tool_${index}`,
      hooks: [{ type: 'command', command: `true ${index}` }],
    })),
  });
  const worker = join(stage.folder, 'worker.mjs');
  writeFileSync(
    worker,
    `import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) process.stdout.write(JSON.stringify({ id: JSON.parse(line).id }) + '\\n');
`,
  );
  const engines = {
    200: await open(hooks, stage, unmatched(200)),
    1000: await open(hooks, stage, unmatched(1000)),
    command: await open(hooks, stage, { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] }),
    ten: await open(hooks, stage, {
      PreToolUse: Array.from({ length: 10 }, (_, index) => ({
        hooks: [{ type: 'command', command: `true ${index}` }],
      })),
    }),
    worker: await open(hooks, stage, {
      PreToolUse: [{ hooks: [{ type: 'worker', command: process.execPath, args: [worker] }] }],
    }),
  };
  const ask = (/** @type {keyof typeof engines} */ key, /** @type {number} */ times) => async () => {
    const started = performance.now();
    for (let index = 0; index < times; index += 1) await engines[key].ask();
    return (performance.now() - started) / times;
  };
  try {
    const runs = await interleave(
      {
        200: ask(200, 500),
        1000: ask(1000, 100),
        command: ask('command', 20),
        ten: ask('ten', 5),
        worker: ask('worker', 200),
        bare: () => bare(1, 20),
        bareTen: () => bare(10, 5),
        load: async () => {
          const started = performance.now();
          await open(hooks, stage, unmatched(1000));
          return performance.now() - started;
        },
      },
      rounds,
    );
    const of = (/** @type {string} */ key) => spread(runs[key] ?? []);
    const scaled = (/** @type {string} */ key, /** @type {number} */ factor) =>
      spread((runs[key] ?? []).map((value) => value * factor));
    return [
      { name: 'dispatch without a match, 200 hooks', ...scaled('200', 1000), unit: 'µs', goal: 10 },
      { name: 'dispatch without a match, 1,000 hooks', ...scaled('1000', 1000), unit: 'µs' },
      {
        name: 'one command hook',
        ...of('command'),
        unit: 'ms',
        ratio: of('command').median / of('bare').median,
        against: 'one bare spawn',
        goal: 1.3,
      },
      {
        name: 'ten command hooks side by side',
        ...of('ten'),
        unit: 'ms',
        ratio: of('ten').median / of('bareTen').median,
        against: 'ten bare spawns',
        goal: 1.3,
      },
      {
        name: 'worker round trip',
        ...of('worker'),
        unit: 'ms',
        ratio: of('command').median / of('worker').median,
        against: 'a command hook is so many times slower',
        goal: 20,
      },
      { name: 'load 1,000 hooks', ...of('load'), unit: 'ms' },
    ];
  } finally {
    for (const opened of Object.values(engines)) await opened.close();
    stage.remove();
  }
}

/**
 * @param {Awaited<ReturnType<typeof loadHooksPackage>>} hooks
 * @param {ReturnType<typeof createStage>} stage
 * @param {object} configured
 */
async function open(hooks, stage, configured) {
  const file = join(stage.project, '.codey/settings.json');
  mkdirSync(join(stage.project, '.codey'), { recursive: true });
  writeFileSync(file, JSON.stringify({ hooks: configured }));
  const loaded = await hooks.loadSettings({ projectRoot: stage.project });
  const processes = hooks.createProcessHost();
  const made = hooks.createHookEngine({
    session: 'bench',
    projectRoot: stage.project,
    snapshot: hooks.takeSnapshot(loaded, { agreed: () => true }),
    depth: 0,
    ports: {
      runners: {
        command: hooks.createCommandRunner({ processes }),
        worker: hooks.createWorkerRunner({ processes, onNotice: () => {} }),
      },
      environment: { PATH: process.env.PATH ?? '' },
      journal: { append: () => {}, flush: async () => {} },
      trust: hooks.trustEverything,
      once: hooks.createOnce(),
      subjectOf: () => ({ kind: 'none' }),
      notify: () => {},
      keepOutput: async () => undefined,
      spill: async () => undefined,
      now: () => performance.now(),
      date: () => new Date(),
      uniqueId: () => crypto.randomUUID(),
    },
  });
  const context = {
    agent: { id: 'main', type: 'main' },
    workspace: stage.project,
    cwd: stage.project,
    turn: 1,
    model: 'script:bench',
    permissionMode: /** @type {const} */ ('default'),
    transcriptPath: '',
    usage: { input_tokens: 0, output_tokens: 0, context_share: null },
  };
  const payload = { tool_name: 'run_shell', tool_input: { command: 'echo hi' }, input_revision: 0 };
  return { ask: () => made.dispatch('PreToolUse', payload, context), close: () => made.close() };
}

/** @param {number} side side by side @param {number} times one after another */
async function bare(side, times) {
  const started = performance.now();
  for (let index = 0; index < times; index += 1) {
    await Promise.all(
      Array.from(
        { length: side },
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
  }
  return (performance.now() - started) / times;
}
