// Hooks and ports for the engine's own tests: real dispatch, runners that answer from a table.
import { compileMatcher } from '../condition/matcher.ts';
import { parseRule } from '../condition/parse.ts';
import type { HookDefinition, Scope } from '../config/hook.ts';
import type { HookSnapshot, Switches } from '../config/snapshot.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { Runner, RunRequest, RunResult } from '../runners/runner.ts';
import { trustEverything } from '../trust/trust.ts';
import { createHookEngine, type HookEngine } from '../policy/engine.ts';
import type { DispatchContext } from '../policy/dispatch.ts';
import { createOnce } from '../policy/once.ts';
import type { EnginePorts, HookNotice } from '../policy/ports.ts';
import { quietContext } from '../policy/quiet-context.ts';

let made = 0;

export function testHook(
  command: string,
  options: Partial<Omit<HookDefinition, 'matcher' | 'condition' | 'source'>> & {
    readonly matcher?: string;
    readonly if?: string;
    readonly scope?: Scope;
    readonly line?: number;
  } = {},
): HookDefinition {
  made += 1;
  const { matcher, if: rule, scope = 'user', line = made, ...rest } = options;
  const compiled = compileMatcher(matcher);
  const parsed = rule === undefined ? undefined : parseRule(rule);
  if (!compiled.ok) throw new Error(compiled.message);
  if (parsed !== undefined && !parsed.ok) throw new Error(parsed.message);
  const event = rest.event ?? 'PreToolUse';
  return {
    id: `${event}:${command}`,
    identity: `${event} ${command}`,
    event,
    handler: { type: 'command', command },
    matcher: compiled.matcher,
    ...(parsed !== undefined && { condition: parsed.rule }),
    timeoutMs: 60_000,
    once: false,
    async: false,
    onFailure: 'pass',
    source: {
      scope,
      file: '/home/dev/.codey/settings.json',
      line,
      column: 1,
      fromRepository: scope === 'project' || scope === 'local',
    },
    group: `group ${made}`,
    dialect: 'native',
    ...rest,
  };
}

export const noSwitches: Switches = {
  disableAll: 'none',
  disabledIds: new Set(),
  managedOnly: false,
  hookFailure: {},
  withhold: [],
  noHooks: false,
  noProjectHooks: false,
  bare: false,
};

export function testSnapshot(
  policy: readonly HookDefinition[],
  switches: Partial<Switches> = {},
): HookSnapshot {
  return { policy, lifecycle: [], switches: { ...noSwitches, ...switches } };
}

/** What a table hook does: prints JSON or text and exits, or ends as it says. */
export type TableAnswer = Partial<RunResult> & { readonly json?: unknown; readonly exit?: number };

export interface TestEngine {
  readonly engine: HookEngine;
  /** Inputs each hook command was asked about, in order. */
  readonly asked: { readonly command: string; readonly payload: Record<string, unknown> }[];
  readonly journal: JournalEntry[];
  readonly notices: HookNotice[];
}

/** `answer` is called for each start; it may return a promise to decide who finishes first. */
export function testEngine(
  snapshot: HookSnapshot,
  answer: (command: string, request: RunRequest) => TableAnswer | Promise<TableAnswer> = () => ({}),
  ports: Partial<EnginePorts> = {},
  depth = 0,
): TestEngine {
  const asked: { command: string; payload: Record<string, unknown> }[] = [];
  const journal: JournalEntry[] = [];
  const notices: HookNotice[] = [];
  const runner: Runner = {
    async run(request) {
      const { handler } = request.hook;
      const command = handler.type === 'command' ? handler.command : handler.type;
      asked.push({ command, payload: JSON.parse(request.input) });
      request.onStart?.();
      const { json, exit = 0, ...given } = await answer(command, request);
      return {
        end: { kind: 'exited', code: exit },
        stdout: json === undefined ? '' : JSON.stringify(json),
        stderr: '',
        stdoutTruncated: false,
        durationMs: 1,
        ...given,
      };
    },
  };
  let ids = 0;
  const uniqueId = (): string => {
    ids += 1;
    return `id-${ids}`;
  };
  const engine = createHookEngine({
    session: 'session-1',
    projectRoot: '/project',
    snapshot,
    depth,
    ports: {
      runners: { command: runner },
      environment: {},
      journal: { append: (entry) => void journal.push(entry), flush: async () => {} },
      trust: trustEverything,
      once: createOnce(),
      subjectOf: (_tool, input) =>
        typeof input.command === 'string' ? { kind: 'command', line: input.command } : { kind: 'none' },
      notify: (notice) => void notices.push(notice),
      keepOutput: async () => undefined,
      spill: async () => '/session/spilled.txt',
      now: () => 0,
      date: () => new Date(0),
      uniqueId,
      ...ports,
    },
  });
  return { engine, asked, journal, notices };
}

export const testContext: DispatchContext = {
  ...quietContext('/project'),
  turn: 1,
  model: 'script:test',
};

export const shellCall = (command: string) =>
  ({ tool_name: 'run_shell', tool_input: { command }, input_revision: 0 }) as const;
