// Gives a test run a temporary folder of its own and fails the run when its tests leave files or processes behind.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';

/** Every process that a test starts with an inherited environment carries this variable. */
export const marker = 'TEST_RUN';
/** Part of the temporary folder with a home for each test file; it goes with the run. */
export const homesFolder = 'homes';

declare module 'vitest' {
  interface ProvidedContext {
    testRun: string;
  }
}

export default function guard(project: TestProject): () => Promise<void> {
  // Short, because the path of a Unix socket holds 107 bytes and tests nest theirs below it.
  const folder = mkdtempSync(join(tmpdir(), 'ct-'));
  mkdirSync(join(folder, homesFolder));
  const outer = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  const run = basename(folder);
  project.provide('testRun', run);

  return async () => {
    if (outer === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = outer;
    const processes = await survivors(run);
    // Vite and Node keep files of their own here; they belong to no test.
    const files = readdirSync(folder).filter(
      (name) => name !== homesFolder && !/^(vite|node-compile-cache)/.test(name),
    );
    for (const { pid } of processes) kill(pid);
    rmSync(folder, { recursive: true, force: true });
    const findings = [
      ...processes.map(({ pid, command }) => `process ${pid} still runs: ${command}`),
      ...files.map((name) => `${name} was left in the temporary folder`),
    ];
    if (findings.length === 0) return;
    console.error(
      `\nThe tests left something behind. End it in the test that started it:\n  ${findings.join('\n  ')}`,
    );
    process.exitCode = 1;
  };
}

interface Survivor {
  readonly pid: number;
  readonly command: string;
}

/** What still runs after a grace of five seconds: a group that was told to end may take the two seconds it is given. */
async function survivors(run: string): Promise<readonly Survivor[]> {
  let found = marked(run);
  for (let tries = 0; found.length > 0 && tries < 50; tries++) {
    await sleep(100);
    found = marked(run);
  }
  return found;
}

function marked(run: string): readonly Survivor[] {
  const entry = `${marker}=${run}`;
  return listPids().flatMap((pid) => {
    const environment = readProc(pid, 'environ');
    if (!environment.split('\0').includes(entry)) return [];
    const command = readProc(pid, 'cmdline').replaceAll('\0', ' ').trim();
    // A zombie has an empty command line: it has ended and waits for its parent.
    return command === '' ? [] : [{ pid, command: command.slice(0, 200) }];
  });
}

function listPids(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    // No /proc outside Linux: the guard then only looks at files.
    return [];
  }
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended in the meantime.
  }
}
