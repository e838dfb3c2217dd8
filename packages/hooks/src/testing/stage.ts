// The place one case plays in: a home and a project of its own, real hook programs, and everything that hooks saw.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lifecycleEventNames } from '../lifecycle/catalogue.ts';
import { policyEventNames } from '../policy/catalogue.ts';
import { expectThat } from './explain.ts';
import type {
  ConformanceHost,
  ConformanceSession,
  HumanStandIn,
  ModelAnswer,
  ModelCall,
  ModelStandIn,
  OpenedSession,
  ScriptedCall,
} from './host.ts';

/** What a hook read on stdin. */
export type Seen = Readonly<Record<string, unknown>> & { readonly event: string };

/** A field as text: a string as it is, anything else as JSON, nothing where it is absent. */
export function textOf(seen: Seen | undefined, field: string): string {
  const value = seen?.[field];
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export interface CommandHook {
  readonly type: 'command';
  readonly command: string;
}

export interface StageSettings {
  /** Groups of policy events, which come after a hook that records every event. */
  readonly hooks?: Readonly<Record<string, readonly object[]>>;
  readonly permissions?: Readonly<Partial<Record<'allow' | 'ask' | 'deny', readonly string[]>>>;
}

/** What is played: answers one after another, or a function that answers each call. */
export interface Play {
  readonly model?: readonly ModelAnswer[] | ModelStandIn;
  readonly human?: HumanStandIn;
}

export interface PlayedSession extends ConformanceSession {
  /** Every model call so far. */
  readonly calls: readonly ModelCall[];
}

export interface Stage {
  readonly host: ConformanceHost;
  readonly project: string;
  /** A second project beside the first. */
  readonly otherProject: string;
  settings(settings: StageSettings): void;
  /** A hook that runs these lines with `sh`; `payload` is a variable with what it read on stdin. */
  hook(...lines: readonly string[]): CommandHook;
  /** A hook that prints this JSON. */
  says(answer: object): CommandHook;
  /** A hook that blocks with this reason. */
  refuses(reason: string): CommandHook;
  shell(command: string): ScriptedCall;
  /** Opens a session that must open; it is closed with the stage at the latest. */
  open(play?: Play, project?: string): Promise<PlayedSession>;
  /** Opens a session, blocked or not. */
  start(play?: Play, project?: string): Promise<OpenedSession>;
  has(file: string): boolean;
  /** A file of the project, or of the one named; empty where there is none. */
  read(file: string, project?: string): string;
  /** Everything hooks saw so far, in the order in which they were told. */
  seen(...events: readonly string[]): readonly Seen[];
  /** Waits for something that must come; fails the case when it does not. */
  until(holds: () => boolean, what: string): Promise<void>;
}

/** Longer than anything takes that comes at all, on a machine that is busy. */
const patienceMs = 20_000;

/** What a session that has been given up gets to close by itself. */
const graceMs = 5_000;

/** Calls `act` on a new stage and leaves nothing of it behind, also when `signal` fires before it has ended. */
export async function onStage(
  host: ConformanceHost,
  act: (stage: Stage) => Promise<void>,
  signal: AbortSignal,
  onFailure: (error: unknown, seen: readonly string[]) => never,
): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'conformance-')));
  const sessions: ConformanceSession[] = [];
  const stage = createStage(host, root, sessions);
  try {
    await Promise.race([act(stage), givenUp(signal)]);
  } catch (error) {
    onFailure(
      error,
      stage.seen().map(({ event }) => event),
    );
  } finally {
    const closing = Promise.allSettled(sessions.map((session) => session.close()));
    await (signal.aborted ? Promise.race([closing, sleep(graceMs)]) : closing);
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

function givenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}

function createStage(host: ConformanceHost, root: string, sessions: ConformanceSession[]): Stage {
  const [home, project, otherProject, programs] = ['home', 'project', 'other-project', 'programs'].map(
    (name) => join(root, name),
  ) as [string, string, string, string];
  for (const folder of [join(home, '.codey'), project, otherProject, programs]) {
    mkdirSync(folder, { recursive: true });
  }
  const log = join(root, 'seen.jsonl');
  let written = 0;

  /** Commands are `sh 'file'`: the settings hold nothing that would have to be quoted twice. */
  function program(lines: readonly string[]): string {
    written += 1;
    const file = join(programs, `hook-${written}.sh`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return `sh '${file}'`;
  }

  const recorder = `cat >> '${log}'`;

  function writeSettings({ hooks = {}, ...others }: StageSettings): void {
    const recorded = [
      ...lifecycleEventNames.map((event) => [event, [recorder]]),
      ...policyEventNames.map((event) => [
        event,
        [{ hooks: [{ type: 'command', command: recorder }] }, ...(hooks[event] ?? [])],
      ]),
    ];
    const settings = { hooks: Object.fromEntries(recorded), ...others };
    writeFileSync(join(home, '.codey/settings.json'), JSON.stringify(settings, null, 2));
  }

  writeSettings({});

  function hook(...lines: readonly string[]): CommandHook {
    return { type: 'command', command: program(['payload=$(cat)', ...lines]) };
  }

  async function openWith(play: Play, projectRoot: string) {
    const calls: ModelCall[] = [];
    const answers = play.model ?? [];
    const model: ModelStandIn = (call) => {
      calls.push(call);
      if (typeof answers === 'function') return answers(call);
      return answers[calls.length - 1] ?? { text: 'Nothing is left to say.' };
    };
    const opened = await host.open({
      projectRoot,
      home,
      model,
      ...(play.human !== undefined && { human: play.human }),
    });
    if (opened.kind === 'open') sessions.push(opened.session);
    return { opened, calls };
  }

  return {
    host,
    project,
    otherProject,
    settings: writeSettings,
    hook,
    says: (answer) => hook(`cat <<'END'`, JSON.stringify(answer), 'END'),
    refuses: (reason) => hook(`cat >&2 <<'END'`, reason, 'END', 'exit 2'),
    shell: (command) => ({ tool: host.shell.name, input: host.shell.input(command) }),
    async open(play = {}, projectRoot = project) {
      const { opened, calls } = await openWith(play, projectRoot);
      expectThat(opened.kind === 'open', 'The session did not open, although no hook blocked it.');
      const { session } = opened;
      return {
        calls,
        prompt: (text) => session.prompt(text),
        interrupt: () => session.interrupt(),
        close: () => session.close(),
      };
    },
    start: async (play = {}, projectRoot = project) => (await openWith(play, projectRoot)).opened,
    has: (file) => existsSync(join(project, file)),
    read(file, from = project) {
      const whole = join(from, file);
      return existsSync(whole) ? readFileSync(whole, 'utf8') : '';
    },
    seen(...events) {
      const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
      const lines = text.split('\n').filter((line) => line !== '');
      const all = lines.map((line) => JSON.parse(line) as Seen);
      return events.length === 0 ? all : all.filter(({ event }) => events.includes(event));
    },
    async until(holds, what) {
      for (const end = Date.now() + patienceMs; !holds(); await sleep(10)) {
        expectThat(Date.now() < end, `${what}: it did not happen within ${patienceMs / 1000} s.`);
      }
    },
  };
}
