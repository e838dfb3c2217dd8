// Every story is played, and together they show every event that needs nobody at a screen.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultWithheld, lifecycleEventNames, policyEventNames } from '@codey/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
const program = fileURLToPath(new URL('../../packages/codey/bin/codey.js', import.meta.url));
const stories = readdirSync(here).filter((name) => name.endsWith('.yaml'));

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'codey-example-')));
  cpSync(here, path.join(folder, 'project'), { recursive: true });
  mkdirSync(path.join(folder, 'home'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the machine has of keys would answer questions that a story asks. */
function withoutKeys(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !defaultWithheld.includes(name)));
}

describe('the stories', () => {
  it.each(stories)('%s comes out as expected', (story) => {
    const live = story === 'forms.yaml' ? ['--live'] : [];
    const run = spawnSync(process.execPath, [program, 'rehearse', story, '--trust-project-hooks', ...live], {
      cwd: path.join(folder, 'project'),
      env: { ...withoutKeys(), HOME: path.join(folder, 'home') },
      encoding: 'utf8',
    });
    expect(run.stdout).toMatch(/(\d+) of \1 expectations met/);
    expect(run.status).toBe(0);
  });

  it('are played as the page beside them says', () => {
    const page = readFileSync(path.join(here, '../README.md'), 'utf8');
    const [, lines = ''] = /## Stories[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
    mkdirSync(path.join(folder, 'bin'));
    symlinkSync(program, path.join(folder, 'bin/codey'));
    const run = spawnSync('sh', ['-e', '-c', lines], {
      cwd: path.join(here, '../..'),
      env: {
        ...withoutKeys(),
        HOME: path.join(folder, 'home'),
        TMPDIR: folder,
        PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`,
      },
      encoding: 'utf8',
    });
    expect(run.stdout).toMatch(/(\d+) of \1 expectations met/);
    expect(run.status).toBe(0);
  });

  it('show every event but those that need somebody at a screen', () => {
    const text = stories.map((story) => readFileSync(path.join(here, story), 'utf8')).join('\n');
    const shown = new Set([...text.matchAll(/\bevent: (\w+)(?!.*times: 0)/g)].map((match) => match[1]));
    const missing = [...policyEventNames, ...lifecycleEventNames].filter((event) => !shown.has(event));
    expect(missing).toEqual(['ConfigChange', 'paused', 'resumed']);
  });
});
