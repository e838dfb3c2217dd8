// The answer on a pipe: whole for a reader that takes its time, and no reader keeps the program from being ended.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bypass, readLines } from './play.ts';
import { createStage, type Stage } from './stage.ts';
import { until } from './waiting.ts';

const program = fileURLToPath(new URL('../bin/codey.js', import.meta.url));
/** More than a pipe holds, so that a write of it ends in the middle of a sign. */
const long = `${'é☕𝄞'.repeat(30_000)}END`;

let stage: Stage;
let reader = -1;
let child: ChildProcess | undefined;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => {
  child?.kill('SIGKILL');
  if (reader !== -1) closeSync(reader);
  reader = -1;
  stage.remove();
});

/** The program with a pipe for stdout that others write to as well; `flags` are of the end that it gets. */
function start(format: string, flags = 0): ChildProcess {
  const pipe = path.join(stage.home, 'pipe');
  execFileSync('mkfifo', [pipe]);
  reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY | flags);
  const script = stage.write('~/script.json', [
    { text: long, calls: [{ tool: 'list_directory', input: { path: '.' } }] },
    { text: long },
  ]);
  const args = ['-p', 'x', '--model', `script:${script}`, '--output-format', format, ...bypass];
  child = spawn(process.execPath, [program, ...args], {
    cwd: stage.project,
    env: { ...process.env, HOME: stage.home, TMPDIR: stage.home },
    stdio: ['ignore', writer, 'ignore'],
  });
  closeSync(writer);
  return child;
}

/** What is there now; undefined where that is nothing. */
function readSome(size: number): Buffer | undefined {
  const buffer = Buffer.alloc(size);
  try {
    return buffer.subarray(0, readSync(reader, buffer));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

/** As soon as it is written to, and not before: by then it is full. */
async function readAll(): Promise<string> {
  const pieces: Buffer[] = [];
  for (;;) {
    let piece: Buffer | undefined;
    await until(() => {
      piece = readSome(pieces.length === 0 ? 1 : 50_000);
      return piece !== undefined;
    });
    if (piece === undefined || piece.length === 0) return Buffer.concat(pieces).toString();
    pieces.push(piece);
  }
}

describe.runIf(process.platform === 'linux')('a pipe that is full', () => {
  it.each([
    ['waits', 0],
    ['does not wait', constants.O_NONBLOCK],
  ])('gets all of the answer in order, be it one that %s', async (_, flags) => {
    const ended = once(start('text', flags), 'exit');
    expect(await readAll()).toBe(`${long}\n`);
    expect(await ended).toEqual([0, null]);
  });

  it('gets every line of stream-json in order', async () => {
    const ended = once(start('stream-json'), 'exit');
    const lines = readLines(await readAll());
    expect(lines.map(({ type }) => type).filter((type) => type !== 'text')).toEqual([
      'session',
      'turn',
      'answer',
      'tool_call',
      'tool_result',
      'turn',
      'answer',
      'result',
    ]);
    expect(lines.at(-1)).toMatchObject({ is_error: false, result: long });
    expect(await ended).toEqual([0, null]);
  });

  it.each(['text', 'stream-json'])(
    'whose reader reads nothing of %s does not keep a signal from ending the program',
    async (format) => {
      const started = start(format);
      await until(() => readSome(1) !== undefined);
      await until(() => {
        started.kill('SIGTERM');
        return started.exitCode !== null || started.signalCode !== null;
      });
      // One that comes when it has just stopped listening ends it, too.
      expect([143, 'SIGTERM']).toContain(started.exitCode ?? started.signalCode);
    },
  );
});

it('a socket gets all of an answer in order that is longer than what it has room for', async () => {
  const { stdout } = await stage.prompt([{ text: `START${long}` }], {
    args: ['--output-format', 'stream-json'],
  });
  expect(readLines(stdout).at(-1)).toMatchObject({ result: `START${long}` });
});
