// `codey hooks list`: every hook there is, where it was written, and why it does or does not run.
import { type NeverFires, type Review, type Switch, switchThatTurnedOff } from '@codey/hooks';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes } from '../start/exit.ts';
import type { Project } from '../start/project.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';
import { type DescribedHook, describeHook } from './describe-hook.ts';
import { openHere } from './open-here.ts';
import { writeJson } from './write-json.ts';

export interface ListedHook extends DescribedHook {
  readonly state: 'active' | 'untrusted' | 'modified' | 'disabled';
  /** Why it is not active. */
  readonly why?: string;
}

export async function hooksList(
  { flags }: Extract<NamedCommandLine, { command: 'hooks list' }>,
  world: World,
): Promise<number> {
  const project = await openHere(flags, world, 'hooks list');
  const listed = await listHooks(project);
  const never = project.neverFires.map(neverListed);
  if (flags.json) writeJson([...listed, ...never], world);
  else world.stdout.write(`${sanitise([renderHooks(listed), ...never.map(neverRow)].join('\n'))}\n`);
  return exitCodes.done;
}

/** A hook of another agent's file whose moment does not come here. */
interface NeverListed {
  readonly event: string;
  readonly state: 'never-fires';
  readonly why: string;
  readonly scope: string;
  readonly file: string;
  readonly line: number;
}

function neverListed({ event, reason, source }: NeverFires): NeverListed {
  const { scope, file, line } = source;
  return { event, state: 'never-fires', why: reason, scope, file, line };
}

function neverRow({ event, why, scope, file, line }: NeverListed): string {
  return `${event}  [never fires: ${why}]\n    ${scope}, ${file}:${line}`;
}

export function listHooks({
  snapshot,
  trust,
}: Pick<Project, 'snapshot' | 'trust'>): Promise<readonly ListedHook[]> {
  const { switches, policy, lifecycle } = snapshot;
  return Promise.all(
    [...policy, ...lifecycle].map(async (hook): Promise<ListedHook> => {
      const described = describeHook(hook);
      const off = switchThatTurnedOff(hook, switches, 0);
      if (off !== undefined) return { ...described, state: 'disabled', why: saySwitch(off) };
      const { kind } = await trust.check(hook);
      switch (kind) {
        case 'trusted':
          return { ...described, state: 'active' };
        case 'untrusted':
          return { ...described, state: 'untrusted', why: 'you have not agreed to it: codey hooks trust' };
        case 'modified':
        case 'changed':
          return { ...described, state: 'modified', why: sayChanges(hook.id, trust.review()) };
      }
    }),
  );
}

/** What became of it since the user agreed, in a few words. */
function sayChanges(id: string, { hooks }: Review): string {
  const standing = hooks.find((hook) => hook.id === id)?.standing;
  const changes = standing?.kind === 'modified' ? standing.changes.join('; ') : 'it changed since you agreed';
  return `${changes}: codey hooks trust`;
}

function saySwitch(off: Switch): string {
  switch (off) {
    case 'bare':
      return '--bare leaves this event out';
    case 'no-hooks':
      return '-no-hooks';
    case 'disable-all':
      return 'disableAllHooks is set';
    case 'managed-only':
      return 'managed settings allow managed hooks only';
    case 'no-project-hooks':
      return '--no-project-hooks';
    case 'disabled-id':
      return 'disabledHooks names it';
    case 'depth':
      return 'codey was started by a hook';
  }
}

/** Not cleaned: the caller takes out what a terminal would act on. */
export function renderHooks(hooks: readonly ListedHook[]): string {
  if (hooks.length === 0)
    return 'No hooks. They go under "hooks" in .codey/settings.json or ~/.codey/settings.json.';
  return [...hooks.map(row), '', count(hooks)].join('\n');
}

function row(hook: ListedHook): string {
  const conditions = [
    ...(hook.matcher === undefined ? [] : [`matcher ${hook.matcher}`]),
    ...(hook.if === undefined ? [] : [`if ${hook.if}`]),
  ].join(', ');
  const why = hook.why === undefined ? '' : `: ${hook.why}`;
  return [
    `${hook.event}${conditions === '' ? '' : `  (${conditions})`}  [${hook.state}${why}]`,
    `    ${hook.type}: ${hook.runs.replace(/\s*\n\s*/g, ' ⏎ ')}`,
    `    ${hook.scope}, ${hook.file}:${hook.line}  ${hook.id}`,
  ].join('\n');
}

/** `5 hooks: 3 active, 2 untrusted`. */
function count(hooks: readonly ListedHook[]): string {
  const states = ['active', 'untrusted', 'modified', 'disabled'] as const;
  const counted = states
    .map((state) => ({ state, number: hooks.filter((hook) => hook.state === state).length }))
    .filter(({ number }) => number > 0)
    .map(({ state, number }) => `${number} ${state}`);
  return `${hooks.length} ${hooks.length === 1 ? 'hook' : 'hooks'}: ${counted.join(', ')}`;
}
