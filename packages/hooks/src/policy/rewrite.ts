// Every verdict counts only for the input it was given on.
import type { HookDefinition } from '../config/hook.ts';
import { hookLabel } from './label.ts';
import type { HookReport } from './report.ts';
import {
  type Ask,
  type Asked,
  endsDispatch,
  type Revision,
  runRound,
  sameHook,
  type SelectFor,
} from './rounds.ts';
import type { Selected } from './select.ts';

/** More changes than this and the hooks evidently do not agree on an input. */
const revisionLimit = 3;

export interface Settled {
  /** The input that every selected hook has judged, or on which the dispatch ended. */
  readonly revision: Revision;
  /** The selection for that input, in config order. */
  readonly selected: readonly Selected[];
  /** One report a hook, in config order: of its words only what counts for the final input. */
  readonly reports: readonly HookReport[];
  readonly rewrittenBy: readonly string[];
}

/**
 * Asks round by round until nobody changes the input any more. A round asks every selected hook that has not seen the
 * current input and did not make it; matcher and `if` are evaluated anew for each input. Of several changes in a round
 * the first in config order becomes the next input, and the hooks that made the others are asked again about it: so the
 * result is the one of running the hooks in config order, whoever finishes first.
 *
 * Tightening stays: a deny at any input ends the dispatch and an ask remains. Loosening must be fresh: an allow counts
 * only from a hook that saw or made the final input.
 */
export async function settleInput(
  input: Readonly<Record<string, unknown>>,
  selectFor: SelectFor,
  order: 'side-by-side' | 'in-order',
  ask: Ask,
): Promise<Settled> {
  const asked: Asked[] = [];
  const changes: HookDefinition[] = [];
  let revision: Revision = { number: 0, input };
  for (;;) {
    const selected = await selectFor(revision);
    const round = await runRound(dueHooks(selected, revision, asked), revision, order, ask, selectFor);
    asked.push(...round);
    const settled = (): Settled => ({
      revision,
      selected,
      reports: effectiveReports(selected, asked, revision),
      rewrittenBy: changes.map(hookLabel),
    });
    if (round.some((entry) => endsDispatch(entry.report))) return settled();
    const chain = firstChange(round);
    if (chain.length === 0) return settled();
    changes.push(...chain.map((entry) => entry.hook));
    if (changes.length > revisionLimit) return refuse(settled(), changes);
    revision = chain.at(-1)?.made ?? revision;
  }
}

/** Async hooks are never asked: they are told once the input is settled. */
function dueHooks(
  selected: readonly Selected[],
  revision: Revision,
  asked: readonly Asked[],
): HookDefinition[] {
  return selected.flatMap((entry) => {
    if (entry.kind === 'settled' || entry.hook.async) return [];
    return hasJudged(entry.hook, revision, asked) ? [] : [entry.hook];
  });
}

function hasJudged(hook: HookDefinition, revision: Revision, asked: readonly Asked[]): boolean {
  return asked.some(
    (entry) => sameHook(entry.hook, hook) && (entry.revision === revision || entry.made === revision),
  );
}

/** The changes of the first group, in config order, that changed anything. */
function firstChange(round: readonly Asked[]): readonly (Asked & { readonly made: Revision })[] {
  const changed = round.filter(
    (entry): entry is Asked & { readonly made: Revision } => entry.made !== undefined,
  );
  return changed.filter((entry) => entry.hook.group === changed[0]?.hook.group);
}

function effectiveReports(
  selected: readonly Selected[],
  asked: readonly Asked[],
  final: Revision,
): readonly HookReport[] {
  return selected.map((entry) => {
    const hook = entry.kind === 'run' ? entry.hook : entry.report.hook;
    const words = asked.filter((word) => sameHook(word.hook, hook));
    const last = words.at(-1);
    if (last === undefined) {
      return entry.kind === 'settled'
        ? entry.report
        : { hook, outcome: { kind: 'passed' }, answer: silentWord, durationMs: 0 };
    }
    return whatCounts(last, words, hasJudged(hook, final, asked));
  });
}

const silentWord = { verdict: { kind: 'none' } } as const;

function whatCounts(last: Asked, words: readonly Asked[], judgedFinal: boolean): HookReport {
  const durationMs = words.reduce((sum, word) => sum + word.report.durationMs, 0);
  const report = { ...last.report, durationMs };
  const kept = words.map((word) => word.report.answer.verdict).find((verdict) => verdict.kind === 'ask');
  const { verdict } = report.answer;
  if (kept !== undefined && verdict.kind !== 'deny')
    return { ...report, answer: { ...report.answer, verdict: kept } };
  if (verdict.kind === 'allow' && !judgedFinal) {
    return {
      ...report,
      answer: { ...report.answer, verdict: { kind: 'none' } },
      note: 'allow ignored: given for an earlier input',
    };
  }
  return report;
}

/** The hooks that could not agree are named, so that whoever wrote them can settle it. */
function refuse(settled: Settled, changes: readonly HookDefinition[]): Settled {
  const names = [...new Set(changes.map(hookLabel))];
  const last = changes.at(-1);
  const reason = `hooks kept changing the input of this call and did not settle: ${names.join('; ')}`;
  const reports = settled.reports.map((report) =>
    last !== undefined && sameHook(report.hook, last)
      ? {
          ...report,
          outcome: { kind: 'blocked', reason } as const,
          answer: { ...report.answer, verdict: { kind: 'deny', reason } as const },
        }
      : report,
  );
  return { ...settled, reports };
}
