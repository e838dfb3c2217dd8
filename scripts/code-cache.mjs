// Rehearses the built program and keeps what V8 compiled for it, so that later starts need not compile it again:
// `node scripts/code-cache.mjs <dist>`. Nothing else writes into the program's folder.
// @ts-check
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { createStage } from '../bench/stage.mjs';
import { startWire } from '../bench/wire.mjs';
import { pruneStale, putFile } from './place-files.mjs';

/** @type {typeof import('../packages/codey/bin/load.js')} */
const { cacheName, compileChunk, createLoader } = createRequire(import.meta.url)(
  '../packages/codey/bin/load.js',
);

const [dist = ''] = process.argv.slice(2);
const chunks = join(dist, 'chunks');
const scripts = new Map(
  readdirSync(chunks)
    .filter((name) => name.endsWith('.cjs'))
    .map((name) => [join(chunks, name), compileChunk(join(chunks, name))]),
);
await rehearse();
const folder = join(dist, 'cache', cacheName());
for (const [file, script] of scripts) putFile(join(folder, basename(file)), script.createCachedData());
pruneStale(folder, new Set([...scripts.keys()].map((file) => join(folder, basename(file)))), Date.now());

/** What most starts run: help, a run without a hook, one on a script and one on a provider, each with a tool call. */
async function rehearse() {
  const stage = createStage();
  const wire = await startWire();
  process.env = stage.environment({ ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: wire.url });
  process.chdir(stage.project);
  const bypass = ['--permission-mode', 'bypassPermissions'];
  try {
    await start(['--help']);
    await start(['-p', 'x', '--model', `script:${stage.script}`, ...bypass]);
    stage.hooks(1);
    await start(['-p', 'x', '--model', `script:${stage.script}`, ...bypass]);
    await start(['-p', 'x', '--model', 'anthropic/claude-bench', ...bypass]);
  } finally {
    process.chdir(dist);
    await wire.close();
    stage.remove();
  }
}

/** @param {readonly string[]} args */
async function start(args) {
  process.argv = [process.execPath, 'codey', ...args];
  const load = createLoader((file) => scripts.get(file) ?? compileChunk(file));
  const { finished } = /** @type {{ finished: Promise<void> }} */ (load(join(dist, 'main.cjs')));
  await finished;
  if (process.exitCode !== 0)
    throw new Error(`codey ${args.join(' ')} ended with exit code ${process.exitCode}`);
}
