// A review as plain text. Every line that a repository wrote stands behind a bar, so that none can pass for one of ours.
import type { Detail, Review, ReviewedHook, ReviewedSettings } from './review.ts';

/** No terminal codes of ours; those in what is shown are the caller's to take out. No newline at the end. */
export function renderReview({ root, hooks, settings, problem }: Review): string {
  const blocks = [...hooks.map(renderHook), ...settings.map(renderSettings)];
  const head = [`What the repository in ${root} supplies:`, ...(problem === undefined ? [] : [problem])].join(
    '\n',
  );
  if (blocks.length === 0) return `${head}\n\n  nothing that needs your agreement`;
  return [head, ...blocks, closing].join('\n\n');
}

const closing =
  'Agreeing covers the hooks as shown and the files listed under them, not what those files load or start in turn.';

function renderHook(hook: ReviewedHook): string {
  const covered = hook.covered.map(({ name, note }) => ({
    name,
    value: note === undefined ? 'covered' : `covered, but ${note}`,
  }));
  return [
    `${hook.event} hook, ${hook.place}  [${hook.standing.kind}]`,
    ...renderChanges(hook),
    ...bars(hook.type, hook.runs),
    ...renderDetails(hook.details),
    ...renderDetails(covered),
    ...hook.unseen.map((reason) => `  runs more than this check can see: ${oneLine(reason)}`),
  ].join('\n');
}

function renderSettings({ place, settings, ...reviewed }: ReviewedSettings): string {
  return [
    `Settings, ${place}  [${reviewed.standing.kind}]`,
    ...renderChanges(reviewed),
    ...settings.flatMap((setting) => bars(`${setting.place}  ${setting.name}`, setting.value)),
  ].join('\n');
}

function renderChanges({ standing }: Pick<ReviewedHook, 'standing'>): readonly string[] {
  return standing.kind === 'modified'
    ? standing.changes.map((change) => `  since you agreed: ${oneLine(change)}`)
    : [];
}

function renderDetails(details: readonly Detail[]): readonly string[] {
  return details.map(({ name, value }) => `  ${oneLine(name)}: ${oneLine(value)}`);
}

function bars(title: string, text: string): readonly string[] {
  return [`  ${oneLine(title)}`, ...text.split(/\r\n|[\r\n\u2028\u2029]/).map((line) => `    | ${line}`)];
}

function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ⏎ ');
}
