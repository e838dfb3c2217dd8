// What runs without hooks leave each other: pipes for the output of their commands.
import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOwnCache, isTrusted } from '../bin/own-cache.js';
import { bypass, play } from './play.ts';
import { createStage, shellScript, type Stage } from './stage.ts';

const program = fileURLToPath(new URL('../bin/codey.js', import.meta.url));

let stage: Stage;
let waiting: string;
beforeEach(() => {
  stage = createStage();
  waiting = path.join(stage.home, '.codey/cache/pipes');
});
afterEach(() => stage.remove());

/** A PATH on which `mkfifo` tells that it was asked. */
function watchedPath(): string {
  const script = '#!/bin/sh\ntouch "$HOME/asked"; PATH=${PATH#*:}; exec mkfifo "$@"\n';
  const maker = stage.write('~/bin/mkfifo', script);
  chmodSync(maker, 0o755);
  return `${path.dirname(maker)}:${process.env.PATH}`;
}

describe.runIf(process.platform === 'linux')('a run without hooks', () => {
  it('leaves pipes that the next one takes, which starts nothing to make any', async () => {
    const options = { environment: { PATH: watchedPath() } };
    const script = shellScript('echo out; echo err > /dev/stderr; echo more | tee /dev/stderr');
    for (const asked of [true, false]) {
      const { results } = await play(stage, script, bypass, options);
      expect(results[0]).toMatch(/out[\s\S]*err[\s\S]*more/);
      expect(stage.has('~/asked')).toBe(asked);
      rmSync(path.join(stage.home, 'asked'), { force: true });
    }
    const names = readdirSync(waiting);
    expect(names).toHaveLength(60);
    expect(names.every((name) => lstatSync(path.join(waiting, name)).isFIFO())).toBe(true);
  });

  it('gets the output of its own commands alone, however many run beside it', async () => {
    await play(stage, shellScript('true'));
    const runs = Array.from({ length: 8 }, async (_, number) => {
      const name = `run-${number}`;
      const command = `for i in 1 2 3 4 5; do echo ${name}; echo ${name} >&2; done`;
      const script = stage.write(`~/${name}.json`, shellScript(command, command));
      const run = await stage.codey([
        '-p',
        'x',
        '--model',
        `script:${script}`,
        '--output-format',
        'stream-json',
        ...bypass,
      ]);
      return new Set(run.stdout.match(/run-\d/g)).size === 1 && run.stdout.split(name).length > 20;
    });
    expect(await Promise.all(runs)).toEqual(runs.map(() => true));
  });

  it('makes a folder in which a code cache may be kept, whatever the umask is', () => {
    const script = stage.write('~/script.json', shellScript('true'));
    const run = spawnSync(
      '/bin/sh',
      [
        '-c',
        'umask 000; exec "$0" "$@"',
        process.execPath,
        program,
        '-p',
        'x',
        '--model',
        `script:${script}`,
        ...bypass,
      ],
      { cwd: stage.project, env: { ...process.env, HOME: stage.home }, encoding: 'utf8' },
    );
    expect(run.stdout).toBe('All done.\n');
    const cache = findOwnCache({ HOME: stage.home });
    expect(cache !== undefined && isTrusted(cache)).toBe(true);
    expect(statSync(path.dirname(waiting)).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['is none', undefined],
    ['is no absolute path', 'home'],
    ['is a file', '/dev/null'],
  ])(
    'reads the output of its commands, and leaves no pipe in the project, where HOME %s',
    async (_, home) => {
      const script = shellScript('echo out; echo err > /dev/stderr');
      const { results } = await play(stage, script, bypass, { environment: { HOME: home } });
      expect(results[0]).toMatch(/out[\s\S]*err/);
      const names = readdirSync(stage.project, { recursive: true, encoding: 'utf8' });
      expect(names.filter((name) => name.includes('pipes'))).toEqual([]);
    },
  );
});
