// Asks one hook about one revision: runs the handler and reads what it said.
import type { Dialect } from '../dialects/dialect.ts';
import { dialects } from '../dialects/index.ts';
import type { HookDefinition } from '../config/hook.ts';
import { hookEnvironment } from '../runners/environment.ts';
import type { RunRequest, RunResult } from '../runners/runner.ts';
import { capAnswer } from './cap-text.ts';
import { policyCatalogue } from './catalogue.ts';
import type { DispatchFrame, DispatchRequest } from './dispatch.ts';
import { heldBack } from './held-back.ts';
import { judge } from './judge.ts';
import { hookLabel } from './label.ts';
import type { PayloadLines } from './payload-line.ts';
import type { HookReport } from './report.ts';
import type { Revision } from './rounds.ts';
import { skip } from './select.ts';

export interface AskContext {
  readonly request: DispatchRequest;
  readonly frame: DispatchFrame;
  readonly dispatch: string;
  readonly lines: PayloadLines;
  /** Nobody waits for it, so an interrupt does not end it. */
  readonly background: boolean;
}

export async function askHook(
  hook: HookDefinition,
  revision: Revision,
  context: AskContext,
): Promise<HookReport> {
  const { ports } = context.frame;
  // A hook later in its group or in the queue starts a while after it was selected.
  const held = await heldBack(hook, context.request.context.workspace, ports.trust);
  if (held !== undefined) return held;
  const dialect = dialects[hook.dialect];
  const input = context.lines(dialect, revision, await transcriptFor(dialect, context));
  if (input === undefined) {
    if (hook.once) ports.once.release(hook.identity, context.dispatch);
    return skip(hook, 'invalid').report;
  }
  const runId = ports.uniqueId();
  const envFile = policyCatalogue[hook.event].envFile ? await ports.envFiles?.create() : undefined;
  ports.observer?.started({ runId, hook, label: hookLabel(hook) });
  const result = await run(hook, { runId, input, envFile }, context);
  const report = inOwnWords(cutShort(judge(hook, dialect, result), ports.cut), dialect, revision, context);
  ports.observer?.ended({ runId, outcome: report.outcome });
  const answer = await capAnswer(report.answer, hook, ports.spill);
  return { ...report, answer, ...(envFile !== undefined && { envFile }) };
}

async function run(
  hook: HookDefinition,
  start: { readonly runId: string; readonly input: string; readonly envFile: string | undefined },
  context: AskContext,
): Promise<RunResult> {
  const { runners, once } = context.frame.ports;
  const runner = runners[hook.handler.type];
  if (runner === undefined) return unsupported(hook);
  let started = false;
  const { workspace } = context.request.context;
  const signal = endedBy(context);
  let environment: RunRequest['environment'] | undefined;
  const request: RunRequest = {
    hook,
    runId: start.runId,
    input: start.input,
    workspace,
    // Made where it is asked for, since a worker that runs has its own already; the same for everyone who asks.
    get environment() {
      environment ??= environmentOf(hook, start, context);
      return environment;
    },
    deadlineMs: hook.timeoutMs,
    ...(signal !== undefined && { signal }),
    onStart: () => {
      started = true;
      if (hook.once) once.spend(hook.identity);
    },
  };
  const result = await runner.run(request);
  if (hook.once && !started) once.release(hook.identity, context.dispatch);
  return result;
}

/** An interrupt ends what somebody waits for; a host that has no time left ends everything. */
function endedBy({ background, frame, request }: AskContext): AbortSignal | undefined {
  const { cut } = frame.ports;
  const interrupt = background ? undefined : request.context.signal;
  return cut === undefined || interrupt === undefined
    ? (interrupt ?? cut)
    : AbortSignal.any([interrupt, cut]);
}

function cutShort(report: HookReport, cut: AbortSignal | undefined): HookReport {
  if (report.outcome.kind !== 'cancelled' || cut?.aborted !== true) return report;
  return { ...report, outcome: { kind: 'cancelled', why: 'exit' } };
}

function environmentOf(
  hook: HookDefinition,
  start: { readonly runId: string; readonly envFile: string | undefined },
  context: AskContext,
): Readonly<Record<string, string>> {
  const { frame, request } = context;
  const { root } = hook.source;
  const place = {
    session: frame.session,
    projectRoot: frame.projectRoot,
    ...(root !== undefined && { root }),
    ...(start.envFile !== undefined && { envFile: start.envFile }),
  };
  return hookEnvironment({
    base: { ...frame.ports.environment, ...dialects[hook.dialect].environment(place) },
    projectDir: request.context.workspace,
    sessionId: frame.session,
    depth: frame.depth + 1,
    runId: start.runId,
    withhold: othersWrote(hook) ? frame.snapshot.switches.withhold : [],
    ...(start.envFile !== undefined && { envFile: start.envFile }),
    ...(root !== undefined && { skillDir: root }),
  });
}

/** The conversation as the dialect's hooks read it, brought up to date before one of them starts. */
async function transcriptFor(dialect: Dialect, { request, frame }: AskContext): Promise<string> {
  if (dialect.transcript === 'session-log') return request.context.transcriptPath;
  return (await frame.ports.transcripts?.[dialect.name]?.()) ?? '';
}

function inOwnWords(
  report: HookReport,
  dialect: Dialect,
  revision: Revision,
  { request }: AskContext,
): HookReport {
  const { updatedInput } = report.answer;
  const tool = request.payload.tool_name;
  if (updatedInput === undefined || typeof tool !== 'string') return report;
  const before = { tool, input: revision.input, cwd: request.context.cwd };
  return {
    ...report,
    answer: { ...report.answer, updatedInput: dialect.decodeInput(updatedInput, before) },
  };
}

/** Hooks of projects, plugins and skills do not get what the user withholds. */
function othersWrote(hook: HookDefinition): boolean {
  const { scope } = hook.source;
  return scope === 'project' || scope === 'local' || scope === 'plugin' || scope === 'skill';
}

function unsupported(hook: HookDefinition): RunResult {
  return {
    end: {
      kind: 'failed',
      cause: 'unsupported',
      message: `this program has no way to run hooks of type ${hook.handler.type}`,
    },
    stdout: '',
    stderr: '',
    stdoutTruncated: false,
    durationMs: 0,
  };
}
