// What a session still holds when fifty subagents have come and gone, and how long they take one after another.
// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { interleave, ratio, runCommand, spread } from '../measure.mjs';
import { createStage, program } from '../stage.mjs';

/** Bytes each says: what is kept of fifty cannot be overlooked. */
const size = 400_000;
const few = 5;
const many = 50;

/** Writes what is in use when the program ends; the peak would say how lazily Node collects. */
const heapAtEnd = `import { writeFileSync } from 'node:fs';
process.on('exit', () => {
  globalThis.gc();
  writeFileSync(process.env.HEAP_FILE, String(process.memoryUsage().heapUsed));
});
`;

/** @param {number} rounds @returns {Promise<readonly import('../report.mjs').Row[]>} */
export async function agents(rounds) {
  const stage = createStage();
  const watcher = join(stage.folder, 'heap-at-end.mjs');
  const heapFile = join(stage.folder, 'heap');
  writeFileSync(watcher, heapAtEnd);
  const env = stage.environment({
    NODE_OPTIONS: `--expose-gc --import=${pathToFileURL(watcher)}`,
    HEAP_FILE: heapFile,
  });
  const session = (/** @type {number} */ count) => {
    const script = join(stage.folder, `${count}.json`);
    writeFileSync(script, JSON.stringify(story(count)));
    const argv = [process.execPath, program, '-p', 'x', '--model', `script:${script}`];
    return async () => {
      const { ms } = await runCommand(argv, { cwd: stage.project, env });
      return { ms, heapMb: Number(readFileSync(heapFile, 'utf8')) / 1024 / 1024 };
    };
  };
  try {
    const runs = await interleave({ few: session(few), many: session(many) }, rounds);
    const heaps = (/** @type {string} */ key) => (runs[key] ?? []).map(({ heapMb }) => heapMb);
    const times = (runs.many ?? []).map(({ ms }) => ms);
    return [
      { name: `heap left by ${few} subagents`, ...spread(heaps('few')), unit: 'MB' },
      {
        name: `heap left by ${many} subagents`,
        ...spread(heaps('many')),
        unit: 'MB',
        ratio: ratio(heaps('many'), heaps('few')),
        against: `that of ${few}`,
        goal: 1.1,
      },
      { name: `${many} subagents, one after another`, ...spread(times), unit: 'ms' },
    ];
  } finally {
    stage.remove();
  }
}

/** Each agent says much and is waited for before the next one begins. @param {number} count */
function story(count) {
  const call = (/** @type {string} */ tool, /** @type {object} */ input) => ({ calls: [{ tool, input }] });
  const names = Array.from({ length: count }, (_, index) => `agent-${index + 1}`);
  return {
    main: [
      ...names.flatMap((name) => [
        call('spawn_agent', { name, prompt: 'look' }),
        call('agent_result', { name }),
      ]),
      { text: 'done' },
    ],
    agents: {
      general: [{ ...call('todo_write', { todos: [] }), text: 'x'.repeat(size) }, { text: 'nothing found' }],
    },
  };
}
