// Asks the hooks of this project about one event, with the engine and the snapshot a session would ask them with.
import { subjectOfCall } from '@codey/agent';
import {
  type Decision,
  type EnginePorts,
  createCommandListener,
  createCommandRunner,
  createEnvFiles,
  createHookEngine,
  createHttpRunner,
  createLifecycleBus,
  createOnce,
  createProcessHost,
  createWorkerRunner,
  type DispatchContext,
  type HookDefinition,
  type HookReport,
  hookLabel,
  type JournalEntry,
  type LifecycleHook,
  type ProcessHost,
  type Runner,
  whatRuns,
  monotonicMs,
  whyOf,
} from '@codey/hooks';
import { chooseModel } from '../../start/model.ts';
import type { Project } from '../../start/project.ts';
import type { World } from '../../start/world.ts';
import { explainSkip } from '../explain-skip.ts';
import { describeHook } from '../describe-hook.ts';
import { consequences } from './consequences.ts';
import type { Question } from './question.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import type { Tested, TestedHook } from './tested.ts';

export interface AskOptions {
  readonly project: Project;
  readonly world: World;
  /** How many hooks this program runs inside. */
  readonly depth: number;
  readonly dryRun: boolean;
}

/** Nothing is written into the project or its journal. */
export async function ask(question: Question, options: AskOptions): Promise<Tested> {
  const { project, world, dryRun } = options;
  const processes = createProcessHost();
  const stage: Stage = {
    options,
    session: 'hooks-test',
    environment: { ...world.environment, ...project.settings.env },
    processes,
    recorder: createRecorder({ dryRun, inherited: world.environment }),
    entries: [],
    variables: new Set(),
    messages: [],
  };
  try {
    return question.kind === 'policy'
      ? await askPolicy(question, stage)
      : await tellLifecycle(question, stage);
  } finally {
    await processes.settle(5_000);
  }
}

/** One question's surroundings, and what is collected while it is asked. */
interface Stage {
  readonly options: AskOptions;
  readonly session: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly processes: ProcessHost;
  readonly recorder: Recorder;
  readonly entries: JournalEntry[];
  readonly variables: Set<string>;
  readonly messages: Tested['messages'][number][];
}

async function askPolicy(
  { event, payload, common }: Extract<Question, { kind: 'policy' }>,
  stage: Stage,
): Promise<Tested> {
  const { project, dryRun, depth } = stage.options;
  const envFiles = createEnvFiles({
    cwd: project.cwd,
    processes: stage.processes,
    environment: () => stage.environment,
    onChange(values) {
      for (const name of Object.keys(values)) stage.variables.add(name);
    },
  });
  const engine = createHookEngine({
    session: stage.session,
    projectRoot: project.root,
    snapshot: project.snapshot,
    depth,
    ports: { ...portsOf(stage), envFiles },
  });
  const started = monotonicMs();
  const decision = await engine.dispatch(
    event,
    payload as never,
    contextOf(common, project, stage.environment),
  );
  const ms = monotonicMs() - started;
  // Only now have hooks in the background ended and said what became of them.
  await engine.close();
  await envFiles.close();
  const input = decision.input ?? (payload.tool_input as Tested['input']);
  const value = typeof payload.tool_name === 'string' ? payload.tool_name : undefined;
  const hooks = decision.reports.map((report) => testedPolicy(report, value, stage));
  return {
    event,
    ...(value !== undefined && { tool: value }),
    root: project.root,
    payload: { event, ...payload, ...common },
    dryRun,
    hooks,
    verdict: decision.halt === undefined ? decision.verdict.kind : 'halt',
    reasons: reasonsOf(decision),
    contexts: decision.contexts,
    messages: stage.messages,
    ...(input !== undefined && { input }),
    rewrittenBy: decision.rewrittenBy,
    variables: [...stage.variables].sort(),
    consequences: dryRun ? [] : consequences(event, decision, value),
    ms: Math.round(ms),
  };
}

function reasonsOf({ halt, verdict }: Decision): Tested['reasons'] {
  if (halt !== undefined) return [halt];
  return 'reasons' in verdict ? verdict.reasons : [];
}

function testedPolicy(report: HookReport, value: string | undefined, stage: Stage): TestedHook {
  const { hook, answer, note } = report;
  const asked = stage.recorder.runsOf(hook);
  const described = describeHook(hook);
  const ended = hook.async ? endOfBackground(hook, stage) : undefined;
  const outcome =
    stage.options.dryRun && asked.length > 0 ? 'would-run' : (ended?.outcome ?? report.outcome.kind);
  const why = outcome === 'would-run' ? undefined : (ended?.why ?? whyOf(report.outcome));
  const explanation = outcome === 'would-run' ? undefined : explain(report, { ...described, value });
  return {
    ...described,
    name: whatRuns(hook),
    outcome,
    ...(why !== undefined && { why }),
    ...(explanation !== undefined && { explanation }),
    ...(answer.verdict.kind !== 'none' && { verdict: answer.verdict.kind }),
    ...(note !== undefined && { note }),
    asked,
  };
}

/** A hook that nobody waits for has a journal line of its own, written when it ended. */
function endOfBackground({ id }: HookDefinition, { entries }: Stage) {
  return entries
    .flatMap((entry) => (entry.kind === 'dispatch' ? entry.hooks : []))
    .findLast((hook) => hook.id === id);
}

function explain(
  { outcome }: HookReport,
  facts: { readonly matcher?: string; readonly if?: string; readonly value: string | undefined },
): string | undefined {
  switch (outcome.kind) {
    case 'skipped':
      return explainSkip(outcome.why, {
        ...facts,
        ...(facts.value === undefined ? { value: 'this event' } : { value: facts.value }),
      });
    case 'failed':
      return outcome.message;
    case 'timed-out':
      return `no answer within ${outcome.afterMs / 1000} s`;
    case 'blocked':
      return outcome.reason;
    default:
      return undefined;
  }
}

async function tellLifecycle(
  { event, facts }: Extract<Question, { kind: 'lifecycle' }>,
  stage: Stage,
): Promise<Tested> {
  const { project, dryRun, depth } = stage.options;
  const bus = createLifecycleBus({ date: () => new Date(), onListenerError: raise });
  bus.hold(
    createCommandListener({
      projectRoot: project.root,
      depth,
      snapshot: () => project.snapshot,
      processes: stage.recorder.watchProcesses(stage.processes),
      ports: portsOf(stage),
    }),
  );
  let payload: Tested['payload'] = {};
  bus.watch((published) => {
    payload = { ...published };
  });
  const started = monotonicMs();
  const { turn, ...values } = facts;
  await bus.emit({
    event,
    session: stage.session,
    ...values,
    ...(turn !== undefined && turn !== '' && { turn: Number(turn) }),
  });
  return {
    event,
    root: project.root,
    payload,
    dryRun,
    hooks: testedCommands(
      project.snapshot.lifecycle.filter((hook) => hook.event === event),
      stage,
    ),
    verdict: 'none',
    reasons: [],
    contexts: [],
    messages: stage.messages,
    rewrittenBy: [],
    variables: [],
    consequences: dryRun
      ? []
      : ['Nothing changes: commands of a lifecycle event are told and decide nothing.'],
    ms: Math.round(monotonicMs() - started),
  };
}

/** The listener journals one outcome a hook, in their order; those that ran have one recording each. */
function testedCommands(hooks: readonly LifecycleHook[], stage: Stage): readonly TestedHook[] {
  const outcomes = stage.entries.flatMap((entry) => (entry.kind === 'dispatch' ? entry.hooks : []));
  const runs = [...stage.recorder.commands];
  return hooks.map((hook, index) => {
    const became = outcomes[index];
    const skipped = became?.outcome === 'skipped';
    const run = skipped ? undefined : runs.shift();
    const outcome = stage.options.dryRun && !skipped ? 'would-run' : (became?.outcome ?? 'skipped');
    const explanation =
      skipped && became.why !== undefined
        ? explainSkip(became.why as never, {})
        : stage.messages.find(({ hook: label }) => label === hookLabel(hook))?.text;
    return {
      ...describeHook(hook),
      name: whatRuns(hook),
      outcome,
      ...(became?.why !== undefined && { why: became.why }),
      ...(explanation !== undefined && { explanation }),
      asked: run === undefined ? [] : [run],
    };
  });
}

function portsOf(stage: Stage): EnginePorts {
  const { recorder, processes, environment, entries } = stage;
  const { project } = stage.options;
  return {
    runners: {
      command: recorder.watch(createCommandRunner({ processes })),
      worker: recorder.watch(createWorkerRunner({ processes, onNotice: () => {} })),
      http: recorder.watch(
        createHttpRunner({ environment, allowedUrls: () => project.snapshot.switches.allowedHttpUrls }),
      ),
      prompt: recorder.watch(needsSession),
      agent: recorder.watch(needsSession),
    },
    environment,
    journal: { append: (entry) => void entries.push(entry), flush: async () => {} },
    trust: project.trust,
    once: createOnce(),
    subjectOf: subjectOfCall,
    notify(notice) {
      if (notice.kind === 'message') stage.messages.push({ hook: notice.hook, text: notice.text });
    },
    keepOutput: async () => undefined,
    spill: async () => undefined,
    now: monotonicMs,
    date: () => new Date(),
    uniqueId: () => crypto.randomUUID(),
  };
}

/** A model answers these, as part of a conversation there is none of here. */
const needsSession: Runner = {
  run: async () => ({
    end: {
      kind: 'failed',
      cause: 'unsupported',
      message: 'a model answers this hook, and hooks test asks none; codey rehearse --live does',
    },
    stdout: '',
    stderr: '',
    stdoutTruncated: false,
    durationMs: 0,
  }),
};

/** What a payload of a real session said about its moment, else what a session that begins here would say. */
function contextOf(
  common: Readonly<Record<string, unknown>>,
  { root, cwd, settings }: Project,
  environment: World['environment'],
): DispatchContext {
  const text = (key: string, otherwise: string) => {
    const value = common[key];
    return typeof value === 'string' ? value : otherwise;
  };
  return {
    agent: { id: text('agent_id', 'main'), type: text('agent_type', 'main') },
    workspace: root,
    cwd: text('cwd', cwd),
    turn: typeof common.turn === 'number' ? common.turn : 1,
    model: text('model', chooseModel(settings, environment) ?? ''),
    permissionMode: text('permission_mode', settings.permissions.mode) as DispatchContext['permissionMode'],
    transcriptPath: text('transcript_path', ''),
    usage: { input_tokens: 0, output_tokens: 0, context_share: null },
  };
}

function raise(error: unknown): never {
  throw error;
}
