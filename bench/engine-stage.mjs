// A hook engine on a stage, with everything a host would pass in, and the processes it is compared with.
// @ts-check
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {Awaited<ReturnType<typeof import('./package.mjs').loadHooksPackage>>} Hooks
 * @typedef {{ append: (entry: any) => void, flush: () => Promise<void> }} Journal
 */

/** @type {Journal} */
const noJournal = { append: () => {}, flush: async () => {} };

/**
 * @param {Hooks} hooks
 * @param {ReturnType<typeof import('./stage.mjs').createStage>} stage
 * @param {object} configured The `hooks` of the project's settings.
 * @param {{ journal?: Journal, screen?: boolean }} [world] With a screen that must not stand still?
 */
export async function openEngine(hooks, stage, configured, { journal = noJournal, screen = false } = {}) {
  const file = join(stage.project, '.codey/settings.json');
  mkdirSync(join(stage.project, '.codey'), { recursive: true });
  writeFileSync(file, JSON.stringify({ hooks: configured }));
  const loaded = await hooks.loadSettings({ projectRoot: stage.project });
  // As a session of the program has them.
  const forks = hooks.createForkServer();
  const pipes = hooks.createPipeSupply({ forks });
  const processes = hooks.createProcessHost({ oneStartEachTurn: screen, forks, pipes });
  const made = hooks.createHookEngine({
    session: 'bench',
    projectRoot: stage.project,
    snapshot: hooks.takeSnapshot(loaded, { agreed: () => true }),
    depth: 0,
    ports: {
      runners: {
        command: hooks.createCommandRunner({ processes }),
        worker: hooks.createWorkerRunner({ processes, onNotice: () => {} }),
        http: hooks.createHttpRunner({ environment: {} }),
      },
      environment: { PATH: process.env.PATH ?? '' },
      journal,
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
  return {
    ask: () => made.dispatch('PreToolUse', payload, context),
    close: () =>
      made.close().finally(() => {
        pipes.close();
        forks.close();
      }),
  };
}

/** A journal on disk. @param {Hooks} hooks @param {ReturnType<typeof import('./stage.mjs').createStage>} stage */
export function openJournal(hooks, stage) {
  return hooks.openJournal({
    projectRoot: stage.project,
    session: 'bench',
    pid: process.pid,
    now: Date.now,
    onNotice: () => {},
  });
}

/** So many hooks that do not match, a group each. @param {number} count */
export function unmatched(count) {
  return {
    PreToolUse: Array.from({ length: count }, (_, index) => ({
      matcher: `tool_${index}`,
      hooks: [{ type: 'command', command: `true ${index}` }],
    })),
  };
}

/** So many command hooks that do nothing, all asked at once. @param {number} count */
export function noops(count) {
  return {
    PreToolUse: Array.from({ length: count }, (_, index) => ({
      hooks: [{ type: 'command', command: `true ${index}` }],
    })),
  };
}

/** `sh -c true` with pipes, started side by side from this process; milliseconds until all are gone. @param {number} count */
export async function bareSpawns(count) {
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
