// Plays a plan: a real session with real files, hooks and tools, and everything that can be seen of it afterwards.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type HookSnapshot,
  type LifecycleEvent,
  loadSettings,
  openJournal,
  takeSnapshot,
} from '@codey/hooks';
import type { LiveSession } from '../../src/live-session.ts';
import type { ApprovalAnswer, Human } from '../../src/gate/human.ts';
import type { RunOutcome } from '../../src/loop/outcome.ts';
import { ModelError, type ModelRequest } from '../../src/model/model.ts';
import type { SessionState } from '../../src/session/state.ts';
import { openSessionStore } from '../../src/session/store.ts';
import { type Answer as ModelAnswer, modelOf, openWholeSession } from '../whole-session.ts';
import type { Disturbance, Guard, Prompt, SessionPlan, Wish } from './plan.ts';

export interface Place {
  readonly home: string;
  readonly projectRoot: string;
}

export interface Played {
  readonly id: string;
  readonly events: readonly LifecycleEvent[];
  readonly outcomes: readonly RunOutcome[];
  /** Before the session was closed. */
  readonly state: SessionState;
  /** The log read again afterwards. */
  readonly reopened: SessionState;
  /** Names of the files that its tools made. */
  readonly effects: readonly string[];
  /** Every input that all PreToolUse hooks were asked about, as they read it. */
  readonly judged: string;
}

/** In `place`, where other sessions may play at the same time; `name` is its own. */
export async function playPlan(plan: SessionPlan, name: string, place: Place): Promise<Played> {
  const { home, projectRoot } = place;
  await mkdir(join(projectRoot, name));
  const snapshots = {
    first: await snapshotOf(plan.guards, plan, name, place),
    later: await snapshotOf(plan.laterGuards, plan, name, place),
  };
  const world = { home, projectRoot, pid: process.pid, now: Date.now, onNotice: () => {} };
  const store = openSessionStore(world);
  const stored = await store.create(projectRoot);
  const journal = await openJournal({ ...world, session: stored.id });
  const script = createScript(name);
  const { started } = await openWholeSession({
    ...place,
    stored,
    journal,
    snapshot: snapshots.first,
    model: modelOf(script.answer),
    human: createHuman(plan, name),
    environment: { PATH: process.env.PATH ?? '', HOME: home, TEST_RUN: process.env.TEST_RUN ?? '' },
  });
  if (started.kind !== 'open') throw new Error(started.reason);
  const { session } = started;
  const events: LifecycleEvent[] = [];
  session.bus.watch((event) => void events.push(event));

  const outcomes: RunOutcome[] = [];
  for (const prompt of plan.prompts) {
    script.next(prompt);
    outcomes.push(await promptDisturbed(session, prompt.disturbances, snapshots.later));
  }
  const state = structuredClone(session.state());
  await session.close({ reason: 'exit', hurry: new AbortController().signal });
  await journal.close();
  const again = await store.open(stored.id);
  if (again.kind !== 'opened') throw new Error(again.message);
  const reopened = again.session.state();
  await again.session.close('exit');
  return {
    id: stored.id,
    events,
    outcomes,
    state,
    reopened,
    effects: await readdir(join(projectRoot, name)),
    judged: await readFile(join(home, `judged-${name}`), 'utf8').catch(() => ''),
  };
}

async function promptDisturbed(
  session: LiveSession,
  disturbances: readonly Disturbance[],
  later: HookSnapshot,
): Promise<RunOutcome> {
  const disturb = ({ what }: Disturbance): void => {
    switch (what) {
      case 'interrupt':
        session.interrupt();
        break;
      case 'pause':
        session.pause();
        setTimeout(session.resume, 30);
        break;
      case 'new hooks':
        session.useHooks(later);
        break;
    }
  };
  const timers = disturbances.map((each) => setTimeout(() => disturb(each), each.at));
  const outcome = await session.prompt('do something');
  for (const timer of timers) clearTimeout(timer);
  session.resume();
  return outcome;
}

/** Each call makes a file with a number of its own, whatever agent wants it. */
function createScript(name: string) {
  let moves: Prompt['moves'] = [];
  let at = 0;
  let made = 0;
  const call = (wish: Wish) => {
    made += 1;
    const file = `${name}/effect-${made}`;
    switch (wish) {
      case 'write':
        return { tool: 'write_file', input: { path: file, content: 'x' } };
      case 'touch':
        return { tool: 'run_shell', input: { command: `touch ${file}` } };
      case 'background':
        return { tool: 'run_shell', input: { command: `touch ${file}; sleep 30`, background: true } };
      case 'fail':
        return { tool: 'run_shell', input: { command: `touch ${file}; exit 3` } };
      case 'slow':
        return { tool: 'run_shell', input: { command: `touch ${file}; sleep 0.2` } };
      case 'spawn':
        return { tool: 'spawn_agent', input: { prompt: 'do some of it' } };
      case 'question':
        return {
          tool: 'ask_user',
          input: {
            questions: [{ header: 'Which', question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] }],
          },
        };
      case 'nonsense':
        return { tool: 'no_such_tool', input: { file } };
    }
  };
  return {
    next(prompt: Prompt): void {
      ({ moves } = prompt);
      at = 0;
    },
    answer({ agent }: ModelRequest): ModelAnswer {
      // Agents below do one thing each, so that a plan cannot start others without end.
      if (agent.name !== 'main') {
        made += 1;
        return made % 3 === 0 ? { text: 'done' } : { calls: [call('touch')] };
      }
      const move = moves[at];
      at += 1;
      if (move === undefined) return { text: 'done' };
      if (move.fails) throw new ModelError('overloaded', 'the provider is overloaded');
      return { text: 'now', calls: move.wishes.map(call) };
    },
  };
}

function createHuman({ answers }: SessionPlan, name: string): Human {
  let asked = 0;
  const edits = new Set<string>();
  const until = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
  return {
    async approve(request, signal): Promise<ApprovalAnswer> {
      const answer = answers[asked % answers.length];
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, asked % 7));
      if (signal.aborted) throw signal.reason;
      switch (answer) {
        case 'edit':
          // Somebody who never has enough of editing would never be done.
          if (edits.has(request.call.id)) return { kind: 'once' };
          edits.add(request.call.id);
          return { kind: 'edit', input: edited(request.call.input, name, asked) };
        case 'deny':
          return { kind: 'deny', reason: 'not now' };
        case 'never':
          // Not for ever: a plan without an interrupt has to end as well.
          return Promise.race([
            until(signal),
            new Promise<ApprovalAnswer>((resolve) => setTimeout(() => resolve({ kind: 'once' }), 150)),
          ]);
        default:
          return { kind: 'once' };
      }
    },
    answer: (questions) => Promise.resolve(questions.map(() => 'a')),
  };
}

function edited(input: Readonly<Record<string, unknown>>, name: string, number: number) {
  const file = `${name}/edited-${number}`;
  return typeof input.command === 'string'
    ? { ...input, command: `touch ${file}` }
    : 'path' in input
      ? { ...input, path: file }
      : input;
}

/** The recorder stands last in the file; what others make of an input comes to it as well. */
async function snapshotOf(
  guards: readonly Guard[],
  { stop }: SessionPlan,
  name: string,
  { home, projectRoot }: Place,
): Promise<HookSnapshot> {
  const commands = guards
    .map((guard) => guardCommands[guard])
    .map((command) => ({
      hooks: [{ type: 'command', command: command.replaceAll('NAME', name) }],
    }));
  const recorder = { hooks: [{ type: 'command', command: `cat >> "$HOME/judged-${name}"` }] };
  const folder = join(home, `settings-${name}-${guards.join('-')}`);
  await mkdir(join(folder, '.codey'), { recursive: true });
  await writeFile(
    join(folder, '.codey/settings.json'),
    JSON.stringify({
      hooks: {
        PreToolUse: [...commands, recorder],
        PostToolUse: [{ hooks: [{ type: 'command', command: 'echo seen' }] }],
        Stop: [{ hooks: [{ type: 'command', command: stops[stop] }] }],
        blocked: ['true'],
        tool_result: ['exit 1'],
      },
    }),
  );
  return takeSnapshot(await loadSettings({ projectRoot, home: folder }), { agreed: () => true });
}

const decision = (fields: object): string => `echo '${JSON.stringify({ hookSpecificOutput: fields })}'`;

/** Replaces the name of the file in whatever the input is; an input that was changed already stays. */
const rewriteBy = (mark: string): string =>
  `input=$(cat); case "$input" in *${mark}*|*edited-*) exit 0;; esac; printf '%s' "$input" | sed -n 's#.*"tool_input":\\({[^}]*}\\).*#{"hookSpecificOutput":{"updatedInput":\\1}}#p' | sed 's#NAME/effect-#NAME/${mark}-#'`;

const guardCommands: Readonly<Record<Guard, string>> = {
  allow: decision({ permissionDecision: 'allow' }),
  deny: `grep -q 'effect-[0-9]*5' && exit 2; exit 0`,
  ask: decision({ permissionDecision: 'ask', permissionDecisionReason: 'look' }),
  rewrite: rewriteBy('rewritten'),
  'rewrite-too': rewriteBy('again'),
  slow: 'sleep 0.05',
  crash: 'kill -9 $$',
  vanish: '/no/such/guard.sh',
  half: `printf '{"decision":"blo'`,
};

const stops = {
  silent: 'true',
  continue: `grep -q '"stop_hook_active":true' || echo '{"decision":"continue","reason":"once more"}'`,
  block: 'echo enough >&2; exit 2',
} as const;
