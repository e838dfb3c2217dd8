// The account of a call for people.
import type { FailureCause, SkipReason } from '@codey/hooks';
import { explainFailure, whatFailuresLeftOpen } from './explain-failure.ts';
import { explainSkip } from './explain-skip.ts';
import type { ExplainedCall, ExplainedHook } from './hooks-why.ts';

/** Whole, with nothing cleaned: the caller takes out what a terminal would act on. */
export function renderAccount(call: ExplainedCall): string {
  const gate = call.gates.at(-1);
  return [
    `${call.tool}  ${call.call}  ${call.time.slice(0, 19).replace('T', ' ')} UTC`,
    `session ${call.session}${call.agent === 'main' ? '' : `, agent ${call.agent}`}`,
    '',
    gate === undefined ? sayUngated(call) : `${gate.decision} by: ${gate.by}`,
    ...call.dispatches.flatMap((dispatch) => ['', ...renderDispatch(dispatch, call.tool)]),
  ].join('\n');
}

/** A call whose hooks halted or were interrupted never came to rules and mode. */
function sayUngated({ dispatches }: ExplainedCall): string {
  const verdict = dispatches[0]?.verdict ?? 'none';
  return verdict === 'none'
    ? 'no decision is recorded: the session ended first'
    : `did not run: its hooks came to ${verdict}`;
}

function renderDispatch(
  { event, verdict, revision, ms, hooks }: ExplainedCall['dispatches'][number],
  tool: string,
): readonly string[] {
  const changed =
    revision === 0 ? '' : `, the input was changed ${revision === 1 ? 'once' : `${revision} times`}`;
  const head = `${event}: ${verdict}${changed}  (${Math.round(ms)} ms)`;
  if (hooks.length === 0) return [`${head}, no hooks`];
  const open = whatFailuresLeftOpen(
    event,
    verdict,
    hooks.map(({ outcome }) => outcome),
  );
  return [
    head,
    ...hooks.flatMap((hook) => renderHook(hook, tool)),
    ...(open === undefined ? [] : [`  ${open}`]),
  ];
}

function renderHook(entry: ExplainedHook, tool: string): readonly string[] {
  const { id, scope, source, outcome, why, verdict, ms, exit, note, hook, printed } = entry;
  const facts = [
    ...(outcome !== 'skipped' && why !== undefined ? [`(${why})`] : []),
    ...(verdict === undefined ? [] : [`said ${verdict}`]),
    ...(exit === undefined ? [] : [`exit ${exit}`]),
    ...(ms === undefined ? [] : [`${Math.round(ms)} ms`]),
    ...(note === undefined ? [] : [note]),
  ];
  return [
    `  ${outcome}  ${source}  ${id}  ${facts.join(', ')}`.trimEnd(),
    `    ${hook === undefined ? `${scope}; no longer in the settings` : `${scope}, ${hook.type}: ${oneLine(hook.runs)}`}`,
    ...(outcome === 'skipped' && why !== undefined
      ? [`    because ${explainSkip(why as SkipReason, { ...hook, value: tool })}`]
      : []),
    ...(outcome === 'failed' && why !== undefined
      ? [`    because ${explainFailure(why as FailureCause)}`]
      : []),
    ...(printed === undefined
      ? []
      : printed
          .trimEnd()
          .split('\n')
          .map((line) => `    | ${line}`)),
  ];
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ⏎ ');
}
