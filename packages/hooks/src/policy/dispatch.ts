// One policy event, from payload to decision: select, run, read, merge, and once more if the input changed.
import { type CallView, describeCall } from '../condition/call.ts';
import { allowCoverage } from '../condition/match.ts';
import type { HookDefinition } from '../config/hook.ts';
import type { HookSnapshot } from '../config/snapshot.ts';
import { dialects } from '../dialects/index.ts';
import { askHook, type AskContext } from './ask.ts';
import { matchValueOf, type PolicyEventName, policyCatalogue } from './catalogue.ts';
import type { Decision } from './decision.ts';
import type { Matched, Matching } from './matching.ts';
import { merge } from './merge.ts';
import type { CommonFields } from './payload.ts';
import type { EnginePorts } from './ports.ts';
import { createPayloadLines } from './payload-line.ts';
import { recordBackground, recordDispatch } from './record.ts';
import type { HookReport } from './report.ts';
import { settleInput, type Settled } from './rewrite.ts';
import { type Ask, type Revision, runRound, type SelectFor } from './rounds.ts';
import { type Selected, select } from './select.ts';

/** What the host says about the moment of a dispatch. */
export interface DispatchContext {
  /** `agent_id` and `agent_type` of the payload; `agent_id` is the agent's name in lifecycle events. */
  readonly agent: { readonly id: string; readonly type: string };
  /** Where hooks run and what `*_PROJECT_DIR` names: the project root, or an isolated agent's worktree. */
  readonly workspace: string;
  readonly cwd: string;
  readonly turn: number | null;
  readonly model: string;
  readonly permissionMode: CommonFields['permission_mode'];
  /** Empty where no log is kept. */
  readonly transcriptPath: string;
  readonly usage: CommonFields['usage'];
  /** Interrupts the dispatch: its hooks are ended and its verdict is `cancelled`. */
  readonly signal?: AbortSignal;
  /** Id of the tool call, so that the journal can be asked about it. */
  readonly call?: string;
}

export interface DispatchRequest {
  readonly event: PolicyEventName;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly context: DispatchContext;
}

/** What stays the same over all dispatches of one frozen snapshot. */
export interface DispatchFrame {
  readonly session: string;
  readonly projectRoot: string;
  readonly snapshot: HookSnapshot;
  /** The snapshot's hooks by event and match value. */
  readonly matching: Matching;
  readonly depth: number;
  readonly ports: EnginePorts;
  /** Starts a hook that nobody waits for. */
  readonly startInBackground: (run: () => Promise<HookReport>, agent: string) => void;
}

/** Never rejects for anything a hook does. */
export async function dispatch(request: DispatchRequest, frame: DispatchFrame): Promise<Decision> {
  const started = frame.ports.now();
  const dispatchId = frame.ports.uniqueId();
  const { event, payload } = request;
  const matched = frame.matching(event, matchValueOf(event, payload as never), (hook) =>
    dialects[hook.dialect].matchValue(event, payload),
  );
  const settled = matched.nobody
    ? nobodyToAsk(request, matched.nobody)
    : await askAll(request, dispatchId, matched, frame);
  const decision = decide(request, settled);
  if (matched.nobody === undefined) await absorbEnvFiles(decision.reports, frame.ports);
  await recordDispatch(
    { request, dispatch: dispatchId, decision, durationMs: frame.ports.now() - started },
    frame.ports,
  );
  return decision;
}

function nobodyToAsk(request: DispatchRequest, reports: readonly HookReport[]): Settled {
  return { revision: { number: 0, input: inputOf(request) }, selected: [], reports, rewrittenBy: [] };
}

async function askAll(
  request: DispatchRequest,
  dispatchId: string,
  { entries }: Matched,
  frame: DispatchFrame,
): Promise<Settled> {
  const definition = policyCatalogue[request.event];
  const views = viewer(request, entries, frame);
  const selectFor: SelectFor = async (revision) =>
    select(
      entries,
      {
        view: await views(revision),
        workspace: request.context.workspace,
        dispatch: dispatchId,
        notRehearsed: frame.snapshot.switches.notRehearsed ?? [],
      },
      frame.ports,
    );
  const lines = createPayloadLines(request, frame);
  const context: AskContext = { request, frame, dispatch: dispatchId, lines, background: false };
  const ask = async (hook: HookDefinition, revision: Revision): Promise<HookReport> => {
    const report = await askHook(hook, revision, context);
    return limitAllow(report, await views(revision));
  };
  const first = { number: 0, input: inputOf(request) };
  const settled = definition.rewrites
    ? await settleInput(first.input, selectFor, definition.groups, ask)
    : await askOnce(first, await selectFor(first), definition.groups, ask);
  startAsync(settled, context);
  return settled;
}

/** Events that cannot change their input ask every hook exactly once, and all about the same one. */
async function askOnce(
  revision: Revision,
  selected: readonly Selected[],
  order: 'side-by-side' | 'in-order',
  ask: Ask,
): Promise<Settled> {
  const due = selected.flatMap((entry) => (entry.kind === 'run' && !entry.hook.async ? [entry.hook] : []));
  const asked = await runRound(
    due,
    revision,
    order,
    (hook) => ask(hook, revision),
    async () => selected,
  );
  const reports = new Map(asked.map((word) => [word.hook, word.report]));
  return {
    revision,
    selected,
    reports: selected.map((entry) =>
      entry.kind === 'settled' ? entry.report : (reports.get(entry.hook) ?? startedInBackground(entry.hook)),
    ),
    rewrittenBy: [],
  };
}

/** Async hooks decide nothing; they start once, when the input is settled and only if the dispatch was not cut short. */
function startAsync(settled: Settled, context: AskContext): void {
  if (context.request.context.signal?.aborted) return;
  for (const entry of settled.selected) {
    if (entry.kind === 'settled' || !entry.hook.async) continue;
    const { hook } = entry;
    context.frame.startInBackground(async () => {
      const report = await askHook(hook, settled.revision, { ...context, background: true });
      await absorbEnvFiles([report], context.frame.ports);
      await recordBackground(context.request, context.dispatch, report, context.frame.ports);
      return report;
    }, context.request.context.agent.id);
  }
}

async function absorbEnvFiles(reports: readonly HookReport[], ports: EnginePorts): Promise<void> {
  if (ports.envFiles === undefined) return;
  const files = reports.flatMap(({ hook, envFile }) =>
    envFile === undefined ? [] : [{ hook, file: envFile }],
  );
  if (files.length === 0) return;
  for (const sentence of await ports.envFiles.absorb(files)) ports.notify({ kind: 'failure', sentence });
}

function startedInBackground(hook: HookDefinition): HookReport {
  return {
    hook,
    outcome: { kind: 'passed' },
    answer: { verdict: { kind: 'none' } },
    durationMs: 0,
    note: 'in the background',
  };
}

/** One description a revision; none where no hook of the event has a condition. */
function viewer(
  request: DispatchRequest,
  entries: readonly Selected[],
  frame: DispatchFrame,
): (revision: Revision) => Promise<CallView | undefined> {
  const tool = request.payload.tool_name;
  const conditional = entries.some((entry) => entry.kind === 'run' && entry.hook.condition !== undefined);
  if (typeof tool !== 'string' || !conditional) return async () => undefined;
  const known = new Map<Revision, Promise<CallView>>();
  return (revision) => {
    const cached = known.get(revision);
    if (cached !== undefined) return cached;
    const { workspace, cwd } = request.context;
    const view = describeCall(tool, frame.ports.subjectOf(tool, revision.input), { workspace, cwd });
    known.set(revision, view);
    return view;
  };
}

/** A hook that was asked because of one command of a line cannot allow the others with it. */
function limitAllow(report: HookReport, view: CallView | undefined): HookReport {
  const { condition } = report.hook;
  if (report.answer.verdict.kind !== 'allow' || condition === undefined || view === undefined) return report;
  const coverage = allowCoverage(condition, view);
  if (coverage.kind === 'whole') return report;
  return {
    ...report,
    answer: { ...report.answer, verdict: { kind: 'none' } },
    note: `allow ignored: ${coverage.said}`,
  };
}

function decide(request: DispatchRequest, settled: Settled): Decision {
  const merged = merge(settled.reports);
  const cancelled = request.context.signal?.aborted === true;
  const input = settled.revision.number > 0 ? settled.revision.input : firstInput(settled.reports, request);
  return {
    ...merged,
    ...(cancelled && { verdict: { kind: 'cancelled' } as const }),
    ...(input !== undefined && { input }),
    rewrittenBy: settled.rewrittenBy,
  };
}

/** PermissionRequest: the first changed input in config order; the host sends it through the gate as a new call. */
function firstInput(reports: readonly HookReport[], request: DispatchRequest): Decision['input'] {
  if (policyCatalogue[request.event].rewrites) return undefined;
  return reports.find((report) => report.answer.updatedInput !== undefined)?.answer.updatedInput;
}

function inputOf(request: DispatchRequest): Readonly<Record<string, unknown>> {
  const input = request.payload.tool_input;
  return typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
}
