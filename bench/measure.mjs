// Times whole commands and functions in turn, so that a slow moment of the machine hits all of them alike.
// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** @typedef {{ readonly median: number, readonly low: number, readonly high: number, readonly runs: number }} Spread */

/**
 * Runs every entry once a round, in an order that turns with the rounds; the first round is not counted.
 * @template T
 * @param {Readonly<Record<string, () => Promise<T>>>} entries
 * @param {number} rounds
 * @returns {Promise<Readonly<Record<string, readonly T[]>>>}
 */
export async function interleave(entries, rounds) {
  const names = Object.keys(entries);
  /** @type {Record<string, T[]>} */
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (let index = 0; index < names.length; index += 1) {
      const name = names[(index + round) % names.length] ?? '';
      const result = await entries[name]?.();
      if (round > 0 && result !== undefined) results[name]?.push(result);
    }
  }
  return results;
}

/** @param {readonly number[]} values @returns {Spread} */
export function spread(values) {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (/** @type {number} */ share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75), runs: sorted.length };
}

/**
 * How many times as long one entry took as another, round by round: what slows a round slows both.
 * @param {readonly number[]} values
 * @param {readonly number[]} base
 */
export function ratio(values, base) {
  return spread(values.map((value, round) => value / (base[round] ?? Number.NaN))).median;
}

/**
 * One run of a whole process, from spawn to exit, with its peak memory.
 * @param {readonly string[]} argv
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ ms: number, peakMb: number, stdout: string }>}
 */
export function runCommand(argv, options = {}) {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    let peakMb = 0;
    let stdout = '';
    const look = setInterval(() => {
      peakMb = Math.max(peakMb, peakOf(child.pid));
    }, 5);
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(look);
      if (code === 0) resolve({ ms: performance.now() - started, peakMb, stdout });
      else reject(new Error(`${argv.join(' ')} ended with exit code ${code}`));
    });
  });
}

/** The kernel's own high-water mark, so that looking rarely misses little. @param {number | undefined} pid */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
