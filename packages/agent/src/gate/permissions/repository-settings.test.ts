import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { namesNoProgram } from './repository-settings.ts';

let top: string;
const git = (...args: readonly string[]): void => {
  execFileSync('git', args, { cwd: top, env: { PATH: process.env.PATH, HOME: top }, stdio: 'ignore' });
};

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'settings-')));
  git('init', '--quiet');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

it.each<readonly [string, string, string]>([
  ['a monitor', 'core.fsmonitor', './x'],
  ['a filter', 'filter.x.clean', './x'],
  ['a filter process', 'filter.x.process', './x'],
  ['text of another kind', 'diff.x.textconv', './x'],
  ['a program for differences', 'diff.external', './x'],
  ['one for a kind of file', 'diff.x.command', './x'],
  ['a program for signatures', 'gpg.program', './x'],
  ['another file', 'include.path', '../x'],
  ['another file for some', 'includeIf.gitdir:/.path', '../x'],
  ['another tree', 'core.worktree', '/'],
])('is no where the settings name %s', (_, key, value) => {
  expect(namesNoProgram(top)).toBe(true);
  git('config', key, value);
  expect(namesNoProgram(top)).toBe(false);
});

it.each([
  '[core] fsmonitor = x',
  '\t[ core ]FSMonitor=x',
  '[filter "a b"]\n  Smudge = x',
  '[core]\n\thooksPath = ~/x',
  '[Include]\npath = x',
])('is no for %j', (text) => {
  appendFileSync(join(top, '.git/config'), `${text}\n`);
  expect(namesNoProgram(top)).toBe(false);
});

it.each([
  '[core]\n\tfsmonitor = true',
  '[core]\n\tfsmonitor',
  '[core]\n\thooksPath = .husky',
  '[alias]\n\tst = status',
  '[remote "origin"]\n\turl = x',
])('is yes for %j', (text) => {
  appendFileSync(join(top, '.git/config'), `${text}\n`);
  expect(namesNoProgram(top)).toBe(true);
});

it('is no where a hook follows the index, wherever hooks are', () => {
  mkdirSync(join(top, '.husky'));
  for (const folder of ['.git/hooks', '.husky']) {
    const hook = join(top, folder, 'post-index-change');
    git('config', 'core.hooksPath', '.husky');
    writeFileSync(hook, '#!/bin/sh\n');
    chmodSync(hook, 0o755);
    expect(namesNoProgram(top)).toBe(false);
    rmSync(hook);
    expect(namesNoProgram(top)).toBe(true);
  }
});

it('reads the settings that a worktree shares, and its own', () => {
  git(
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@localhost',
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    'first',
  );
  const path = join(top, 'other');
  git('worktree', 'add', '--quiet', path);
  expect(namesNoProgram(path)).toBe(true);
  git('config', 'core.fsmonitor', './x');
  expect(namesNoProgram(path)).toBe(false);
});

it('is yes where there is no repository, and no where it cannot be read', () => {
  expect(namesNoProgram(join(top, 'nowhere'))).toBe(true);
  rmSync(join(top, '.git/config'));
  mkdirSync(join(top, '.git/config'));
  expect(namesNoProgram(top)).toBe(false);
});
