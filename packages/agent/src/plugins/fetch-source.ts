// Brings a plugin's files into an empty folder. Nothing that comes with them is run.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessHost } from '@codey/hooks';
import { copyTree } from './copy-tree.ts';
import type { PluginSource } from './source.ts';
import { untar } from './untar.ts';

export interface FetchWorld {
  readonly processes: ProcessHost;
  readonly environment: Readonly<Record<string, string>>;
  /** A folder of ours that may be written into and is removed afterwards. */
  readonly scratch: string;
  readonly signal: AbortSignal;
}

const deadlineMs = 5 * 60 * 1_000;

/** `to` does not exist yet. Throws an error whose message is a sentence. */
export async function fetchSource(source: PluginSource, to: string, world: FetchWorld): Promise<void> {
  switch (source.kind) {
    case 'path':
      return copyFolder(source.path, to, world);
    case 'git':
      return clone(source.url, source.ref, to, world);
    case 'npm':
      return pack(source.spec, to, world);
  }
}

/** A folder, or an archive as `npm pack` makes it. */
async function copyFolder(path: string, to: string, world: FetchWorld): Promise<void> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) throw new Error(`${path} does not exist`);
  if (/\.(?:tgz|tar\.gz)$/.test(real)) return unpack(real, to, world);
  return copyTree(real, to);
}

/** Neither hooks nor submodules nor filters of the repository are asked for anything. */
async function clone(url: string, ref: string | undefined, to: string, world: FetchWorld): Promise<void> {
  const checkout = join(world.scratch, 'checkout');
  const safe = [
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'protocol.ext.allow=never',
    '-c',
    'core.symlinks=true',
  ];
  const branch = ref === undefined ? ['--depth', '1'] : ['--no-checkout'];
  await run(
    ['git', ...safe, 'clone', '--quiet', '--no-recurse-submodules', ...branch, '--', url, checkout],
    `${url} could not be cloned`,
    world,
  );
  if (ref !== undefined) {
    await run(
      ['git', ...safe, '-C', checkout, 'checkout', '--quiet', '--detach', ref],
      `${url} has no ${ref} that could be checked out`,
      world,
    );
  }
  await copyTree(checkout, to);
}

/** Only the package itself, as it was published: its dependencies are not fetched and its scripts are not run. */
async function pack(spec: string, to: string, world: FetchWorld): Promise<void> {
  const folder = join(world.scratch, 'pack');
  await mkdir(folder);
  await run(
    ['npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder, '--', spec],
    `the package ${spec} could not be fetched`,
    world,
  );
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`the package ${spec} could not be fetched: npm gave no archive`);
  return unpack(join(folder, archive), to, world);
}

/** What packages keep in one folder at the top becomes the plugin's own folder. */
async function unpack(archive: string, to: string, world: FetchWorld): Promise<void> {
  const folder = join(world.scratch, `unpacked-${randomUUID()}`);
  await mkdir(folder);
  await untar(archive, folder);
  const top = await readdir(folder, { withFileTypes: true });
  const [only] = top;
  const inner = top.length === 1 && only?.isDirectory() === true ? join(folder, only.name) : folder;
  await copyTree(inner, to);
  await rm(folder, { recursive: true, force: true });
}

async function run(argv: readonly [string, ...string[]], what: string, world: FetchWorld): Promise<void> {
  const { processes, environment, scratch, signal } = world;
  const { end, stderr } = await processes.run({
    argv,
    cwd: scratch,
    // A password that is asked for on a terminal nobody sees would wait until the deadline.
    environment: { ...environment, GIT_TERMINAL_PROMPT: '0', GIT_LFS_SKIP_SMUDGE: '1' },
    input: '',
    deadlineMs,
    outputCap: 64 * 1024,
    marker: { name: 'CODEY_TOOL_RUN', value: randomUUID() },
    signal,
  });
  switch (end.kind) {
    case 'exited':
      if (end.code === 0) return;
      throw new Error(`${what}: ${lastLine(stderr) ?? `exit code ${end.code}`}`);
    case 'failed':
      throw new Error(`${what}: ${end.message}`);
    case 'timed-out':
      throw new Error(`${what}: it took longer than ${deadlineMs / 60_000} minutes`);
    case 'signalled':
    case 'cancelled':
    case 'answered':
      throw new Error(`${what}: it was interrupted`);
  }
}

function lastLine(text: string): string | undefined {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .at(-1);
}
