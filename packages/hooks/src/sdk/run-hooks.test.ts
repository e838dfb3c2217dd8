// A module with hooks, started by the engine as command and as worker, and imported without starting anything.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HookDefinition } from '../config/hook.ts';
import { createCommandRunner } from '../runners/command.ts';
import { createProcessHost } from '../runners/process.ts';
import type { Runner } from '../runners/runner.ts';
import { createWorkerRunner } from '../runners/worker.ts';

const source = `
import { defineHook, deny, runHooks } from './sdk.mjs';
export const guard = defineHook('PreToolUse', async ({ tool_input }) => {
  if (tool_input.command !== 'git push') return undefined;
  console.log('for people');
  setInterval(() => {}, 60_000);
  return deny('no pushes on Friday');
});
await runHooks(import.meta.url, guard);
`;

let folder: string;
let program: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'codey-sdk-')));
  program = path.join(folder, 'guard.mjs');
  writeFileSync(program, source);
  await build({
    input: fileURLToPath(new URL('./index.ts', import.meta.url)),
    platform: 'node',
    output: { file: path.join(folder, 'sdk.mjs') },
    logLevel: 'silent',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ask(runner: Runner, type: 'command' | 'worker', command: string) {
  const handler = { type, command: process.execPath, args: [program] } as const;
  return runner.run({
    hook: { id: 'PreToolUse:1', identity: 'i', event: 'PreToolUse', handler } as unknown as HookDefinition,
    runId: crypto.randomUUID(),
    input: `${JSON.stringify({ event: 'PreToolUse', tool_input: { command } })}\n`,
    workspace: folder,
    environment: { PATH: process.env.PATH ?? '' },
    deadlineMs: 30_000,
  });
}

describe('runHooks', () => {
  it('answers as a command and ends, whatever the hook left open', async () => {
    const processes = createProcessHost();
    const runner = createCommandRunner({ processes });
    const pushed = await ask(runner, 'command', 'git push');
    expect(pushed).toMatchObject({ end: { kind: 'exited', code: 0 }, stderr: 'for people\n' });
    expect(JSON.parse(pushed.stdout)).toEqual({ decision: 'block', reason: 'no pushes on Friday' });
    expect(await ask(runner, 'command', 'ls')).toMatchObject({
      stdout: '',
      end: { kind: 'exited', code: 0 },
    });
    await processes.settle(5_000);
  });

  it('answers as a worker, several times in one process', async () => {
    const processes = createProcessHost();
    const runner = createWorkerRunner({ processes, onNotice: () => {} });
    expect(JSON.parse((await ask(runner, 'worker', 'git push')).stdout)).toMatchObject({ decision: 'block' });
    expect(await ask(runner, 'worker', 'ls')).toMatchObject({ stdout: '', end: { kind: 'exited', code: 0 } });
    await runner.close();
    await processes.settle(5_000);
  });

  it('does nothing where the module is imported', async () => {
    const { guard } = await import(pathToFileURL(program).href);
    expect(guard.event).toBe('PreToolUse');
    expect(await guard.ask({ tool_input: { command: 'ls' } })).toBeUndefined();
  });
});
