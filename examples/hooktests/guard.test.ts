// The guard as a function, and its fixtures through the program.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guard } from './guard.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const program = fileURLToPath(new URL('../../packages/codey/bin/codey.js', import.meta.url));

describe('the guard', () => {
  it('can be asked without a process', async () => {
    expect(await guard.ask({ tool_input: { command: 'git push origin main' } })).toMatchObject({
      verdict: { kind: 'deny' },
    });
    expect(await guard.ask({ tool_input: { command: 'ls' } })).toBeUndefined();
  });
});

describe('its fixtures', () => {
  let folder: string;
  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'codey-example-')));
    cpSync(here, path.join(folder, 'project'), { recursive: true });
    mkdirSync(path.join(folder, 'home'));
    // Outside this repository there is no package to import yet, so the copy holds it.
    await build({
      input: path.join(here, 'guard.mjs'),
      platform: 'node',
      resolve: { conditionNames: ['codey-source'] },
      output: { file: path.join(folder, 'project/guard.mjs') },
      logLevel: 'silent',
    });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('come out as expected', () => {
    const run = spawnSync(
      process.execPath,
      [program, 'hooks', 'test', '--fixtures', '.', '--trust-project-hooks'],
      {
        cwd: path.join(folder, 'project'),
        env: { ...process.env, HOME: path.join(folder, 'home') },
        encoding: 'utf8',
      },
    );
    expect(run.stdout).toContain('4 of 4 as expected');
    expect(run.status).toBe(0);
  });
});
