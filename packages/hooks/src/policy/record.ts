// Puts a dispatch into the journal and in front of the user. The journal gets words and numbers, never content.
import type { JournalEntry, JournaledHook } from '../journal/entry.ts';
import { policyCatalogue } from './catalogue.ts';
import { type Decision, silent } from './decision.ts';
import type { DispatchRequest } from './dispatch.ts';
import { journaledHook } from './journaled-hook.ts';
import { failureSentence } from './judge.ts';
import { hookLabel, sourceLabel } from './label.ts';
import type { EnginePorts } from './ports.ts';
import type { HookReport } from './report.ts';

export interface DispatchRecord {
  readonly request: DispatchRequest;
  readonly dispatch: string;
  readonly decision: Decision;
  readonly durationMs: number;
}

export async function recordDispatch(record: DispatchRecord, ports: EnginePorts): Promise<void> {
  const { request, decision } = record;
  const { tool_name: tool } = request.payload;
  const hooks = await journaledAll(decision.reports, ports);
  ports.journal.append({
    kind: 'dispatch',
    dispatch: record.dispatch,
    event: request.event,
    agent: request.context.agent.id,
    turn: String(request.context.turn ?? ''),
    ...(typeof tool === 'string' && { tool }),
    ...(request.context.call !== undefined && { call: request.context.call }),
    verdict: decision.halt ? 'halt' : decision.verdict.kind,
    ...(decision.rewrittenBy.length > 0 && { revision: decision.rewrittenBy.length }),
    ms: roundMs(record.durationMs),
    hooks,
  });
  if (!skippedOnly.has(decision.reports)) for (const report of decision.reports) tell(report, ports);
}

/** An async hook ends after its dispatch was recorded, so it gets a line of its own. */
export async function recordBackground(
  request: DispatchRequest,
  dispatch: string,
  report: HookReport,
  ports: EnginePorts,
): Promise<void> {
  const entry: JournalEntry = {
    kind: 'dispatch',
    dispatch,
    event: request.event,
    agent: request.context.agent.id,
    turn: String(request.context.turn ?? ''),
    verdict: 'none',
    ms: roundMs(report.durationMs),
    hooks: [{ ...(await journaled(report, ports)), note: 'ended in the background' }],
  };
  ports.journal.append(entry);
  tell(report, ports);
}

/** Where nobody was asked the reports are the same array each time, and so is what the journal gets. */
async function journaledAll(
  reports: readonly HookReport[],
  ports: EnginePorts,
): Promise<readonly JournaledHook[]> {
  const known = skippedOnly.get(reports);
  if (known !== undefined) return known;
  const hooks = await Promise.all(reports.map((report) => journaled(report, ports)));
  if (reports.every(hasNothingToTell)) skippedOnly.set(reports, hooks);
  return hooks;
}

function hasNothingToTell({ outcome, answer }: HookReport): boolean {
  return outcome.kind === 'skipped' && outcome.why !== 'modified' && answer === silent;
}

const skippedOnly = new WeakMap<readonly HookReport[], readonly JournaledHook[]>();

async function journaled(report: HookReport, ports: EnginePorts): Promise<JournaledHook> {
  const { hook, outcome, answer } = report;
  const output = report.printed && (await ports.keepOutput(hook, report.printed));
  return {
    ...journaledHook(hook, outcome),
    ...(answer.verdict.kind !== 'none' && { verdict: answer.verdict.kind }),
    ...(outcome.kind !== 'skipped' && { ms: roundMs(report.durationMs) }),
    ...(report.exit !== undefined && { exit: report.exit }),
    ...(output !== undefined && { output }),
    ...(report.note !== undefined && { note: report.note }),
  };
}

/** A failure is never silent: one line in the journal, one sentence to the user. */
function tell(report: HookReport, ports: EnginePorts): void {
  const { hook, outcome, answer } = report;
  const sentence = failureSentence(report);
  if (sentence !== undefined) {
    ports.notify({ kind: 'failure', sentence });
    ports.journal.append({
      kind: 'hook_error',
      event: hook.event,
      hook: hook.id,
      source: sourceLabel(hook.source),
      cause: outcome.kind === 'failed' ? outcome.cause : 'timed-out',
      ...(report.exit !== undefined && { exit: report.exit }),
    });
  }
  if (outcome.kind === 'skipped' && outcome.why === 'modified') {
    ports.notify({ kind: 'held-back', sentence: sayHeldBack(report) });
  }
  if (outcome.kind === 'blocked' && answer.verdict.kind === 'deny' && toldToModelOnly.has(hook.event)) {
    ports.notify({
      kind: 'message',
      hook: hookLabel(hook),
      text: `${hook.event} blocked: ${outcome.reason}`,
    });
  }
  if (outcome.kind === 'blocked' && policyCatalogue[hook.event].block === null) {
    const text = `${hook.event} has nothing to block: ${outcome.reason}`;
    ports.notify({ kind: 'message', hook: hookLabel(hook), text });
  }
  if (answer.systemMessage !== undefined) {
    ports.notify({ kind: 'message', hook: hookLabel(hook), text: answer.systemMessage });
  }
}

/** Their block ends nothing and refuses nothing that a person would see: without a word the reason were the model's alone. */
const toldToModelOnly: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure']);

function sayHeldBack(report: HookReport): string {
  const { verdict } = report.answer;
  const what =
    'reason' in verdict && verdict.reason !== undefined
      ? verdict.reason
      : 'it changed since you agreed to it';
  return `${report.hook.event} hook ${hookLabel(report.hook)} was held back: ${what} (codey hooks trust)`;
}

function roundMs(ms: number): number {
  return Math.round(ms * 10) / 10;
}
