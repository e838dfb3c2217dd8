// When the full-screen mode first shows something, on a terminal of its own.
// @ts-check
import { spawn } from '@lydell/node-pty';

/**
 * Milliseconds from the start of Node with these arguments to the first text on the screen; then it is hung up on.
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>}
 */
export function firstPaint(args, { cwd, env }) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const terminal = spawn(process.execPath, [...args], {
      cwd,
      env: { ...env, TERM: 'xterm-256color' },
      cols: 100,
      rows: 30,
    });
    let shown = '';
    let painted = 0;
    terminal.onData((text) => {
      shown += text;
      if (painted > 0 || !/[A-Za-z]{3}/.test(withoutSequences(shown))) return;
      painted = performance.now() - started;
      terminal.kill('SIGHUP');
    });
    terminal.onExit(() => {
      if (painted > 0) resolve(painted);
      else reject(new Error(`it ended before it showed anything: ${JSON.stringify(shown)}`));
    });
  });
}

/** @param {string} text */
function withoutSequences(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what is taken out
  return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|.)/g, '');
}
