// `codey hooks list`: every hook there is, where it was written, and why it does or does not run.
import { type HookDefinition, type LifecycleHook, whySwitchedOff } from '@codey/hooks';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes } from '../start/exit.ts';
import { openProject, type Project } from '../start/project.ts';
import type { World } from '../start/world.ts';
import { sanitise } from '../terminal/sanitise.ts';

export interface ListedHook {
  readonly id: string;
  readonly event: string;
  readonly type: string;
  readonly matcher?: string;
  readonly if?: string;
  /** The command, address or prompt, whole. */
  readonly runs: string;
  readonly scope: string;
  readonly file: string;
  readonly line: number;
  readonly state: 'active' | 'untrusted' | 'modified' | 'disabled';
  /** Why it is not active. */
  readonly why?: string;
}

export async function hooksList(
  { flags }: Extract<NamedCommandLine, { command: 'hooks list' }>,
  world: World,
): Promise<number> {
  const project = await openProject(
    {
      bare: false,
      noHooks: false,
      noProjectHooks: false,
      trustProjectHooks: false,
      allowedTools: [],
      ...flags,
    },
    world,
  );
  const listed = await listHooks(project);
  world.stdout.write(flags.json ? `${JSON.stringify(listed, null, 2)}\n` : `${sanitise(table(listed))}\n`);
  return exitCodes.done;
}

export function listHooks({
  snapshot,
  trust: check,
}: Pick<Project, 'snapshot' | 'trust'>): Promise<readonly ListedHook[]> {
  return Promise.all(
    [...snapshot.policy, ...snapshot.lifecycle].map(async (hook) => {
      const off = whySwitchedOff(hook, snapshot.switches, 0);
      const trust = await check.check(hook);
      const state =
        off !== undefined
          ? 'disabled'
          : trust.kind === 'trusted'
            ? 'active'
            : trust.kind === 'untrusted'
              ? 'untrusted'
              : 'modified';
      return {
        id: hook.id,
        event: hook.event,
        ...describe(hook),
        scope: hook.source.scope,
        file: hook.source.file,
        line: hook.source.line,
        state,
        ...(off !== undefined && { why: sayWhy(off, snapshot.switches) }),
        ...(off === undefined &&
          state === 'untrusted' && { why: 'you have not agreed to it: codey hooks trust' }),
      } satisfies ListedHook;
    }),
  );
}

function describe(
  hook: HookDefinition | LifecycleHook,
): Pick<ListedHook, 'type' | 'matcher' | 'if' | 'runs'> {
  if (!('handler' in hook)) return { type: 'command', runs: hook.command };
  const matcher = hook.matcher.text === '' ? {} : { matcher: hook.matcher.text };
  const condition = hook.condition === undefined ? {} : { if: hook.condition.text };
  return { type: hook.handler.type, ...matcher, ...condition, runs: whatRuns(hook.handler) };
}

function whatRuns(handler: HookDefinition['handler']): string {
  switch (handler.type) {
    case 'command':
    case 'worker':
      return [handler.command, ...(handler.args ?? [])].join(' ');
    case 'http':
      return handler.url;
    case 'prompt':
    case 'agent':
      return handler.prompt;
    case 'function':
      return handler.name;
  }
}

function sayWhy(off: string, switches: Project['snapshot']['switches']): string {
  if (off === 'managed-only') return 'managed settings allow managed hooks only';
  if (switches.noHooks) return '-no-hooks';
  if (switches.disableAll !== 'none') return 'disableAllHooks is set';
  return switches.noProjectHooks ? '--no-project-hooks' : 'disabledHooks names it';
}

function table(hooks: readonly ListedHook[]): string {
  if (hooks.length === 0)
    return 'No hooks. They go under "hooks" in .codey/settings.json or ~/.codey/settings.json.';
  return hooks
    .map((hook) => {
      const conditions = [hook.matcher && `matcher ${hook.matcher}`, hook.if && `if ${hook.if}`]
        .filter(Boolean)
        .join(', ');
      const why = hook.why === undefined ? '' : `: ${hook.why}`;
      return [
        `${hook.event}${conditions === '' ? '' : `  (${conditions})`}  [${hook.state}${why}]`,
        `    ${hook.type}: ${hook.runs.replaceAll('\n', ' ')}`,
        `    ${hook.scope}, ${hook.file}:${hook.line}  ${hook.id}`,
      ].join('\n');
    })
    .join('\n');
}
