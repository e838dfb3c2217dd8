// Runs the hooks of one round: groups as the catalogue says, hooks of a group one after another.
import type { HookDefinition } from '../config/hook.ts';
import type { HookReport } from './report.ts';
import { type Selected, skip } from './select.ts';

/** The input a hook is asked about. `number` counts how often hooks changed it; 0 is what the dispatch began with. */
export interface Revision {
  readonly number: number;
  readonly input: Readonly<Record<string, unknown>>;
  /** The hook that made it; undefined for the first. */
  readonly by?: HookDefinition;
}

/** One hook's word on one revision, with the revision it made of it if it changed something. */
export interface Asked {
  readonly hook: HookDefinition;
  readonly revision: Revision;
  readonly report: HookReport;
  readonly made?: Revision;
}

export type Ask = (hook: HookDefinition, revision: Revision) => Promise<HookReport>;

/** The selection for an input. */
export type SelectFor = (revision: Revision) => Promise<readonly Selected[]>;

/** Answers come back in config order, whoever finished first. */
export async function runRound(
  hooks: readonly HookDefinition[],
  start: Revision,
  order: 'side-by-side' | 'in-order',
  ask: Ask,
  selectFor: SelectFor,
): Promise<readonly Asked[]> {
  const groups = groupUp(hooks);
  const run = (group: readonly HookDefinition[]) => runGroup(group, start, ask, selectFor);
  if (order === 'side-by-side') return (await Promise.all(groups.map(run))).flat();
  const asked: Asked[] = [];
  for (const group of groups) asked.push(...(await run(group)));
  return asked;
}

/** Each hook sees the input as the one before it left it, if its condition fits that one; a block ends the group. */
async function runGroup(
  hooks: readonly HookDefinition[],
  start: Revision,
  ask: Ask,
  selectFor: SelectFor,
): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  let revision = start;
  let ended = false;
  for (const hook of hooks) {
    if (ended) {
      asked.push({ hook, revision, report: skip(hook, 'group-ended').report });
      continue;
    }
    const leftOut = revision === start ? undefined : leftOutOf(await selectFor(revision), hook);
    if (leftOut !== undefined) {
      asked.push({ hook, revision, report: leftOut });
      continue;
    }
    const report = await ask(hook, revision);
    const made = changedBy(report, revision);
    asked.push({ hook, revision, report, ...(made !== undefined && { made }) });
    revision = made ?? revision;
    ended = endsDispatch(report);
  }
  return asked;
}

/** Why the hook is not asked about an input, if it is not. */
function leftOutOf(selected: readonly Selected[], hook: HookDefinition): HookReport | undefined {
  const entry = selected.find((one) => sameHook(one.kind === 'run' ? one.hook : one.report.hook, hook));
  return entry?.kind === 'settled' ? entry.report : undefined;
}

/** Selection may hand out a copy of a hook (with a duplicate's longer time), so the place it was written tells. */
export function sameHook(left: HookDefinition, right: HookDefinition): boolean {
  if (left === right) return true;
  return (
    left.group === right.group &&
    left.identity === right.identity &&
    left.source.line === right.source.line &&
    left.source.column === right.source.column
  );
}

/** A deny or a halt: nothing a later hook says can change it. */
export function endsDispatch(report: HookReport): boolean {
  return (
    report.answer.verdict.kind === 'deny' ||
    report.answer.halt !== undefined ||
    report.outcome.kind === 'cancelled'
  );
}

/** An input that comes back the same is no change. */
function changedBy(report: HookReport, revision: Revision): Revision | undefined {
  const { updatedInput } = report.answer;
  if (updatedInput === undefined || sameJson(updatedInput, revision.input)) return undefined;
  return { number: revision.number + 1, input: updatedInput, by: report.hook };
}

function groupUp(hooks: readonly HookDefinition[]): readonly (readonly HookDefinition[])[] {
  const groups = new Map<string, HookDefinition[]>();
  for (const hook of hooks) {
    const group = groups.get(hook.group);
    if (group === undefined) groups.set(hook.group, [hook]);
    else group.push(hook);
  }
  return [...groups.values()];
}

/** Equal as JSON, whatever the order of keys. */
function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const leftKeys = Object.keys(left);
  if (leftKeys.length !== Object.keys(right).length) return false;
  return leftKeys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      sameJson((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}
