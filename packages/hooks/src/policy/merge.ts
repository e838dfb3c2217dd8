// Many answers to one decision; pure, and independent of who finished first.
import { type Attributed, type Decision, type MergedVerdict, silent } from './decision.ts';
import { attribute, hookLabel } from './label.ts';
import type { HookReport } from './report.ts';

/**
 * Reports come in config order, and config order is all that counts:
 * - deny beats ask, ask beats continue, continue beats allow, allow beats none; every reason of the winning kind is kept;
 * - `continue: false` of any hook halts; the first one's text is shown;
 * - context is kept from every hook, attributed;
 * - of a worktree path, a tool output or a form's answer the first counts, except that decline or cancel beats accept;
 * - watch lists stay apart, since each replaces only its own hook's earlier list.
 */
export function merge(reports: readonly HookReport[]): Decision {
  if (reports.every(({ answer }) => answer === silent)) return { ...saysNothing, reports };
  const halting = reports.find((report) => report.answer.halt !== undefined);
  const winners: Winners = {
    updatedToolOutput: reports.find((report) => report.answer.updatedToolOutput !== undefined),
    worktreePath: reports.find((report) => report.answer.worktreePath !== undefined),
    elicitation:
      reports.find(
        ({ answer }) => answer.elicitation !== undefined && answer.elicitation.action !== 'accept',
      ) ?? reports.find(({ answer }) => answer.elicitation !== undefined),
  };
  const output = saidBy(winners.updatedToolOutput, 'updatedToolOutput');
  const worktree = saidBy(winners.worktreePath, 'worktreePath');
  const form = winners.elicitation;
  return {
    verdict: mergeVerdicts(reports),
    ...(halting?.answer.halt && { halt: attribute(halting.hook, halting.answer.halt.stopReason) }),
    rewrittenBy: [],
    contexts: reports.flatMap(({ hook, answer }) =>
      answer.additionalContext === undefined ? [] : [attribute(hook, answer.additionalContext)],
    ),
    ...(output && { updatedToolOutput: output }),
    ...(worktree && { worktreePath: worktree }),
    ...(form?.answer.elicitation && {
      elicitation: { hook: hookLabel(form.hook), answer: form.answer.elicitation },
    }),
    watchPaths: reports.flatMap(({ hook, answer }) =>
      answer.watchPaths === undefined ? [] : [{ id: hook.id, paths: answer.watchPaths }],
    ),
    reports: reports.map((report) => noteOverridden(report, winners)),
  };
}

const saysNothing = { verdict: { kind: 'none' }, rewrittenBy: [], contexts: [], watchPaths: [] } as const;

const strength = { none: 0, allow: 1, continue: 2, ask: 3, deny: 4 } as const;

function mergeVerdicts(reports: readonly HookReport[]): MergedVerdict {
  const kind = reports
    .map((report) => report.answer.verdict.kind)
    .reduce((strongest, next) => (strength[next] > strength[strongest] ? next : strongest), 'none');
  if (kind === 'none') return { kind };
  const reasons = reports.flatMap(({ hook, answer: { verdict } }) =>
    verdict.kind === kind && verdict.reason !== undefined ? [attribute(hook, verdict.reason)] : [],
  );
  return { kind, reasons };
}

/** Values of which only one can count, with the report whose value does. */
type SingleValue = 'updatedToolOutput' | 'worktreePath' | 'elicitation';
type Winners = Readonly<Record<SingleValue, HookReport | undefined>>;

function saidBy(
  winner: HookReport | undefined,
  field: 'updatedToolOutput' | 'worktreePath',
): Attributed | undefined {
  const text = winner?.answer[field];
  return winner === undefined || text === undefined ? undefined : attribute(winner.hook, text);
}

/** A value that lost is journaled as overridden, so that its author can find out. */
function noteOverridden(report: HookReport, winners: Winners): HookReport {
  const fields: readonly SingleValue[] = ['updatedToolOutput', 'worktreePath', 'elicitation'];
  const lost = fields.some((field) => report.answer[field] !== undefined && winners[field] !== report);
  return lost && report.note === undefined ? { ...report, note: 'overridden' } : report;
}
