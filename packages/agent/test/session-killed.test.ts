// Real processes are killed while they write a session, and the next one finds everything in order.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readJournal } from '@codey/hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSessionLog, readLog } from '../src/session/log.ts';
import { repairSessions } from '../src/session/repair.ts';
import { interruptedResult } from '../src/session/conversation.ts';
import { resumeSession } from '../src/session/resume.ts';
import { openSessionStore } from '../src/session/store.ts';
import { buildProgram } from './fixtures/build-program.ts';

let folder: string;
let logWriter: string;
let killedSession: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'killed-')));
  [logWriter, killedSession] = await Promise.all([
    buildProgram('log-writer', folder),
    buildProgram('killed-session', folder),
  ]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a process killed while it appends to a log', () => {
  it('loses nothing that was flushed, and what it leaves can be gone on with', async () => {
    const path = join(folder, 'log.jsonl');
    let before = 0;
    for (let round = 0; round < 6; round++) {
      const child = run(logWriter, [path]);
      let flushed = 0;
      for await (const line of createInterface({ input: childOutput(child) })) {
        flushed = Number(line);
        if (flushed > before + 20 * (round + 1)) child.kill('SIGKILL');
      }
      const { entries, damaged } = await readLog(path);
      expect(damaged).toBe(0);
      expect(entries.map(({ n }) => n)).toEqual(Array.from({ length: entries.length }, (_, i) => i + 1));
      expect(entries.length).toBeGreaterThanOrEqual(flushed);
      before = entries.length;
    }
    const { log, entries } = await openSessionLog({ path, now: Date.now, onNotice: fail });
    expect(log.append({ kind: 'name', name: 'after' }).n).toBe(entries.length + 1);
    await log.close();
    expect((await readFile(path, 'utf8')).trimEnd().split('\n')).toHaveLength(entries.length + 1);
  });
});

describe.runIf(process.platform === 'linux')('the next start after a session was killed', () => {
  it('finishes its events, its processes and its log, and can resume it [contract.journal.dead-owner]', async () => {
    const { home, projectRoot, child, id, group } = await startSession();
    const world = { home, projectRoot, pid: process.pid, now: Date.now, onNotice: fail };
    const store = openSessionStore(world);

    expect(await repairSessions({ ...world, store })).toEqual([]);
    const refused = await resumeSession({ store, wanted: { kind: 'id', id }, fork: false, projectRoot });
    expect(refused).toMatchObject({ kind: 'refused', copyable: true });
    if (refused.kind === 'refused') {
      expect(refused.message).toContain(`process id ${child.pid}`);
      expect(refused.message).toContain('--fork-session');
    }

    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(leaderRuns(group)).toBe(true);
    const events = ['unblocked', 'tool_result', 'run_end', 'session_end'];
    expect(await repairSessions({ ...world, store })).toEqual([{ id, events, swept: { gone: 1, left: 0 } }]);
    expect(leaderRuns(group)).toBe(false);
    expect(await repairSessions({ ...world, store })).toEqual([]);

    const journaled: string[] = [];
    for await (const line of readJournal({ projectRoot, home }, { session: id, kinds: ['lifecycle'] })) {
      if (line.kind !== 'lifecycle' || line.pid !== process.pid) continue;
      journaled.push([line.event, line.agent, line.turn, line.tool, line.reason, line.error].join(' '));
    }
    expect(journaled).toEqual([
      'unblocked reviewer 1 edit_file closed ',
      'tool_result main 1 run_shell  cancelled',
      'run_end main   interrupted ',
      'session_end main   crashed ',
    ]);

    const resumed = await resumeSession({ store, wanted: { kind: 'latest' }, fork: false, projectRoot });
    if (resumed.kind !== 'resumed') throw new Error(resumed.message);
    expect(resumed.session.id).toBe(id);
    expect(resumed.session.state().closed).toBe('crashed');
    expect(resumed.replay.messages.get('main')?.at(-1)).toEqual({
      role: 'tool',
      callId: 'c1',
      tool: 'run_shell',
      output: interruptedResult,
      failed: true,
    });
    await resumed.session.close('exit');
  });

  it('is done once when several processes start at the same moment [contract.journal.dead-owner]', async () => {
    const { home, projectRoot, child } = await startSession();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const world = { home, projectRoot, pid: process.pid, now: Date.now, onNotice: fail };
    const repaired = await Promise.all(
      [1, 2, 3, 4].map(() => repairSessions({ ...world, store: openSessionStore(world) })),
    );
    expect(repaired.flat()).toHaveLength(1);
    const ends = [];
    for await (const line of readJournal({ projectRoot, home }, { kinds: ['lifecycle'] })) {
      if (line.kind === 'lifecycle' && line.event === 'session_end') ends.push(line);
    }
    expect(ends).toHaveLength(1);
  });
});

async function startSession() {
  const home = await mkdtemp(join(folder, 'home-'));
  const projectRoot = join(home, 'project');
  await mkdir(projectRoot);
  const child = run(killedSession, [home, projectRoot]);
  const [line] = await once(createInterface({ input: childOutput(child) }), 'line');
  const [id = '', group] = String(line).split(' ');
  return { home, projectRoot, child, id, group: Number(group) };
}

function run(program: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

function childOutput(child: ChildProcess): NodeJS.ReadableStream {
  if (child.stdout === null) throw new Error('The child has no output.');
  return child.stdout;
}

/** A zombie that nobody has collected yet has no command line any more. */
function leaderRuns(group: number): boolean {
  try {
    return readFileSync(`/proc/${group}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

function fail(text: string): void {
  throw new Error(text);
}
