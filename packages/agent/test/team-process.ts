// Starts sessions of a team, each in a process of its own that a test tells what to do and may kill.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { MainTeams } from '../src/teams/teams-of-main.ts';
import type { Answer } from './whole-session.ts';

export type TeamAnswer = Answer | { readonly fails: string } | { readonly holds: true };

export interface TeamSession {
  readonly home: string;
  readonly projectRoot: string;
  /** By name or type of the agent; the last answer is given again and again. */
  readonly scripts: Readonly<Record<string, readonly TeamAnswer[]>>;
  /** Id of the session to go on with. */
  readonly resume?: string;
}

export type TeamOrder =
  | { readonly do: 'prompt'; readonly text: string }
  | { readonly do: 'teams'; readonly call: keyof MainTeams; readonly args?: readonly unknown[] }
  /** Answers with the results nobody asked for. */
  | { readonly do: 'settled' }
  | { readonly do: 'requests'; readonly agent: string }
  | { readonly do: 'notices' }
  | { readonly do: 'close' };

export interface TeamProcess {
  /** Id of its session. */
  readonly session: string;
  /** One order at a time. */
  order<Answered>(order: TeamOrder): Promise<Answered>;
  /** Resolves when that agent waits for an answer of its model that never comes. */
  holding(agent: string): Promise<void>;
  kill(): Promise<void>;
}

/** @param program of the fixture `team-session` */
export async function startTeamProcess(program: string, session: TeamSession): Promise<TeamProcess> {
  const scratch = join(session.home, 'tmp');
  await mkdir(scratch, { recursive: true });
  const child: ChildProcess = spawn(process.execPath, [program, JSON.stringify(session)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // What a killed process leaves behind goes with the test's own folder.
    env: { ...process.env, TMPDIR: scratch },
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('the process cannot be talked to');
  const heard: Record<string, unknown>[] = [];
  let wake: () => void = () => {};
  createInterface({ input: stdout }).on('line', (line) => {
    heard.push(JSON.parse(line));
    wake();
  });

  async function hear(isIt: (said: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const at = heard.findIndex(isIt);
      const [said] = at === -1 ? [] : heard.splice(at, 1);
      if (said !== undefined) return said;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  const { session: id } = await hear((said) => 'session' in said);
  return {
    session: String(id),
    async order<Answered>(order: TeamOrder) {
      stdin.write(`${JSON.stringify(order)}\n`);
      return (await hear((said) => 'answer' in said)).answer as Answered;
    },
    holding: async (agent) => void (await hear((said) => said.holding === agent)),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}
