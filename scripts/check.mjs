// Everything a change must pass beside its tests: `npm run check`, or some steps by name: `npm run check -- lint types`.
// @ts-check
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * @typedef {{ name: string, what: string, command: readonly string[] }} Step
 * @typedef {{ step: Step, passed: boolean, output: string, seconds: number }} Result
 */

/** Slowest first, so that the short ones fill the gaps. @type {readonly Step[]} */
const steps = [
  { name: 'types', what: 'type errors', command: ['tsc', '--noEmit', '-p', 'tsconfig.json'] },
  { name: 'unused', what: 'code and dependencies nobody uses', command: ['knip', '--no-progress'] },
  { name: 'lint', what: 'biome', command: ['biome', 'lint', '--error-on-warnings', '.'] },
  { name: 'lint-types', what: 'oxlint with types', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'imports', what: 'package boundaries', command: ['node', 'scripts/imports.mjs'] },
  {
    name: 'generated',
    what: 'schemas and pages as generated',
    command: ['node', 'scripts/generate.mjs', '--check'],
  },
  { name: 'format', what: 'formatting', command: ['biome', 'format', '.'] },
  { name: 'supply', what: 'packages that come along', command: ['node', 'scripts/supply-chain.mjs'] },
  { name: 'promises', what: 'promises and their tests', command: ['node', 'scripts/promises.mjs'] },
  {
    name: 'docs',
    what: 'links, commands and settings in pages',
    command: ['node', 'scripts/check-docs.mjs'],
  },
  { name: 'texts', what: 'no machine paths, no registry addresses', command: ['node', 'scripts/texts.mjs'] },
];

await check(process.argv.slice(2));

/** @param {readonly string[]} names */
async function check(names) {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(
      `check: no step ${unknown.join(', ')}; there are ${steps.map(({ name }) => name).join(', ')}`,
    );
    process.exitCode = 2;
    return;
  }
  const waiting = steps.filter(({ name }) => names.length === 0 || names.includes(name));
  /** @type {Result[]} */
  const results = [];
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const result = await run(step);
      results.push(result);
      console.log(line(result));
    }
  };
  // No step writes into the tree, so they may run side by side.
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), waiting.length) }, work));

  const failed = results.filter(({ passed }) => !passed);
  for (const { step, output } of failed)
    console.log(`\n── ${step.name} (${step.command.join(' ')})\n\n${output.trim()}`);
  console.log(`\n${results.length - failed.length} of ${results.length} checks passed`);
  if (failed.length > 0) process.exitCode = 1;
}

/**
 * @param {Step} step
 * @returns {Promise<Result>}
 */
function run(step) {
  const started = performance.now();
  const [program = '', ...args] = step.command;
  const local = join(root, 'node_modules/.bin', program);
  return new Promise((resolve) => {
    const child = spawn(existsSync(local) ? local : program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const end = (/** @type {boolean} */ passed) =>
      resolve({ step, passed, output, seconds: (performance.now() - started) / 1000 });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece) => {
        output += piece;
      });
    }
    child.on('error', (error) => {
      output += `${program} could not be started: ${error.message}; run "npm ci" first`;
      end(false);
    });
    child.on('close', (code) => end(code === 0));
  });
}

/**
 * One line a step; a check of ours that passed says its last word.
 * @param {Result} result
 */
function line({ step, passed, output, seconds }) {
  const last = step.command[0] === 'node' && passed ? (output.trim().split('\n').at(-1) ?? '') : '';
  const note = last === '' ? step.what : last;
  return `${passed ? 'ok    ' : 'FAILED'}  ${step.name.padEnd(10)}  ${seconds.toFixed(1).padStart(4)} s  ${note}`;
}
