// A tested event for people: each hook with what it was given and said, then what all of it comes to.
import type { HookRun, Said, Tested, TestedHook } from './tested.ts';

/** Whole, with nothing cleaned: the caller takes out what a terminal would act on. */
export function renderTested(tested: Tested): string {
  const { event, tool, dryRun, hooks } = tested;
  const about = tool === undefined ? '' : `  ${tool}`;
  const head = `${event}${about}${dryRun ? '  (dry run: nothing was started)' : ''}`;
  const ran = hooks.filter(({ outcome }) => outcome !== 'skipped');
  const skipped = hooks.filter(({ outcome }) => outcome === 'skipped');
  return [
    head,
    ...(hooks.length === 0 ? [`No hook is there for ${event}.`] : []),
    ...ran.map(renderHook),
    ...(skipped.length === 0 ? [] : [['Did not run:', ...skipped.map(renderSkipped)].join('\n')]),
    ...(dryRun ? [] : [renderResult(tested)]),
    ...renderStdin(hooks),
  ].join('\n\n');
}

function renderHook(hook: TestedHook): string {
  const last = hook.asked.at(-1);
  const why = hook.why === undefined ? '' : ` (${hook.why})`;
  const exit = last?.exit === undefined || hook.outcome === 'would-run' ? '' : `, exit ${last.exit}`;
  const time = last === undefined || hook.outcome === 'would-run' ? '' : `, ${last.ms} ms`;
  return [
    `${hook.name}  ${sayOutcome(hook.outcome)}${why}${exit}${time}`,
    `  ${hook.type}: ${oneLine(hook.runs)}`,
    `  ${placeOf(hook)}`,
    ...(hook.explanation === undefined ? [] : [`  why: ${oneLine(hook.explanation)}`]),
    ...(hook.note === undefined ? [] : [`  note: ${hook.note}`]),
    ...hook.asked.flatMap((run, index) => renderRun(run, hook, index)),
  ].join('\n');
}

function renderRun(run: HookRun, { outcome, asked }: TestedHook, index: number): readonly string[] {
  const again = asked.length > 1 ? [`  asked ${index + 1} of ${asked.length} times`] : [];
  const given = index > 0 ? [] : [`  gets: ${twinned(run.given)}`];
  const withheld =
    index > 0 || run.withheld.length === 0 ? [] : [`  does not get: ${run.withheld.join(' ')}`];
  return outcome === 'would-run'
    ? [...given, ...withheld]
    : [...again, ...given, ...withheld, ...stream('stdout', run.stdout), ...stream('stderr', run.stderr)];
}

/** Most variables are there under both prefixes. */
function twinned(names: readonly string[]): string {
  const isTwin = (name: string) =>
    name.startsWith('KODER_') && names.includes(name.replace('KODER_', 'CODEY_'));
  return names
    .filter((name) => !isTwin(name))
    .map((name) =>
      names.includes(name.replace('CODEY_', 'KODER_')) && name.startsWith('CODEY_')
        ? name.replace('CODEY_', 'CODEY|KODER_')
        : name,
    )
    .join(' ');
}

function renderSkipped(hook: TestedHook): string {
  return `  ${hook.name}  (${hook.why}): ${hook.explanation ?? ''}\n    ${placeOf(hook)}`;
}

function renderStdin(hooks: readonly TestedHook[]): readonly string[] {
  const read = hooks.flatMap(({ asked }) => asked.map(({ input }) => input)).at(-1);
  return read === undefined ? [] : [`On stdin:\n${indent(JSON.stringify(read, null, 2))}`];
}

function renderResult(tested: Tested): string {
  const { verdict, reasons, contexts, messages, rewrittenBy, input, variables, consequences, ms } = tested;
  return [
    `Verdict: ${verdict}  (${ms} ms)`,
    ...said('reason', reasons),
    ...said('for the model', contexts),
    ...said('for the user', messages),
    ...(rewrittenBy.length === 0 ? [] : [`  input changed by: ${rewrittenBy.join('; then ')}`]),
    ...(rewrittenBy.length === 0 ? [] : [`  final input: ${JSON.stringify(input)}`]),
    ...(variables.length === 0 ? [] : [`  sets for the session: ${variables.join(' ')}`]),
    'In a session:',
    ...consequences.map((sentence) => `  ${sentence}`),
  ].join('\n');
}

function said(what: string, texts: readonly Said[]): readonly string[] {
  return texts.map(({ hook, text }) => `  ${what}: ${oneLine(text)}  (${hook})`);
}

function sayOutcome(outcome: TestedHook['outcome']): string {
  return outcome === 'would-run' ? 'would run' : outcome;
}

function placeOf({ scope, file, line, id, matcher, if: condition }: TestedHook): string {
  const conditions = [
    ...(matcher === undefined ? [] : [`matcher ${matcher}`]),
    ...(condition === undefined ? [] : [`if ${condition}`]),
  ];
  return [`${scope}, ${file}:${line}`, id, ...conditions].join('  ');
}

function stream(name: string, text: string): readonly string[] {
  if (text.trim() === '') return [];
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, mostLines).map((line) => `    | ${line}`);
  const more = lines.length > mostLines ? [`    … ${lines.length - mostLines} more lines`] : [];
  return [`  ${name}:`, ...shown, ...more];
}

/** Of one stream; `--json` holds all of it. */
const mostLines = 20;

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ⏎ ');
}
