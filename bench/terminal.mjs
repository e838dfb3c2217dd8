// The program on a terminal of its own: what is typed, and what it writes.
// @ts-check
import { readFileSync } from 'node:fs';
import { spawn } from '@lydell/node-pty';
import { program } from './stage.mjs';

/**
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 */
export function openTerminal(args, { cwd, env }) {
  const terminal = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...env, TERM: 'xterm-256color' },
    cols: 120,
    rows: 40,
  });
  let written = '';
  let looked = () => {};
  terminal.onData((text) => {
    written += text;
    looked();
  });
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => {
    terminal.onExit(() => resolve());
  });
  return {
    pid: terminal.pid,
    write: (/** @type {string} */ keys) => terminal.write(keys),
    /** All of it since `forget`, control sequences included. */
    written: () => written,
    forget: () => {
      written = '';
    },
    /** Resolves once the text was written since `forget`. @param {string} text @returns {Promise<void>} */
    see: (text) =>
      new Promise((resolve, reject) => {
        looked = () => {
          if (written.includes(text)) resolve();
        };
        void ended.then(() => reject(new Error(`it ended before it showed ${text}`)));
        looked();
      }),
    /** Megabytes by their name in /proc, such as VmRSS. @param {string} key */
    megabytes: (key) =>
      Number(
        new RegExp(`${key}:\\s+(\\d+)`).exec(readFileSync(`/proc/${terminal.pid}/status`, 'utf8'))?.[1] ??
          Number.NaN,
      ) / 1024,
    /** Milliseconds of all its threads so far. */
    cpuMs: () => {
      const fields = readFileSync(`/proc/${terminal.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    hangUp: () => {
      terminal.kill('SIGHUP');
      return ended;
    },
  };
}
