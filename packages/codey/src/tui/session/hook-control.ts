// The hooks of one live session as the panel sees and changes them.
import {
  type HookDefinition,
  type HookSnapshot,
  type LifecycleHook,
  takeSnapshot,
  defaultWithheld,
  trustEverything,
  trustOwnHooksOnly,
  type TrustPort,
  whySwitchedOff,
  writeSetting,
} from '@codey/hooks';
import type { RunCommandLine } from '../../cli/command-line.ts';
import { loadProjectSettings, type Project } from '../../start/project.ts';
import type { World } from '../../start/world.ts';
import type { HookControl, ListedHook } from '../ports.ts';
import { tryHook } from './try-hook.ts';

interface LiveHooks {
  readonly hooks: HookSnapshot;
  useHooks(snapshot: HookSnapshot): void;
}

export function hookControl(
  live: LiveHooks,
  project: Project,
  { flags }: RunCommandLine,
  world: World,
): HookControl {
  const trust: TrustPort = flags.trustProjectHooks ? trustEverything : trustOwnHooksOnly;
  const all = (): readonly AnyHook[] => [...live.hooks.policy, ...live.hooks.lifecycle];

  return {
    list: () => Promise.all(all().map((hook) => describeHook(hook, live.hooks.switches, trust))),
    async switchTo(id, on) {
      if (world.home === undefined) return 'HOME is not set, so there are no settings of yours to write to';
      const ids = new Set(live.hooks.switches.disabledIds);
      if (on) ids.delete(id);
      else ids.add(id);
      const written = await writeSetting({
        scope: 'user',
        projectRoot: project.root,
        home: world.home,
        path: ['disabledHooks'],
        value: ids.size === 0 ? undefined : [...ids],
      });
      if (written.kind === 'refused') return written.message;
      // Only this one switch is taken over; other changes of the files are offered to the user, not slipped in.
      const loaded = await loadProjectSettings(project.root, flags.settings, world);
      const { disabledIds } = takeSnapshot(loaded, {
        agreed: () => false,
        flags,
        providerKeys: defaultWithheld,
      }).switches;
      live.useHooks({ ...live.hooks, switches: { ...live.hooks.switches, disabledIds } });
      return undefined;
    },
    async tryOut(id) {
      const hook = all().find((each) => each.id === id);
      if (hook === undefined) return ['This hook is not there any more.'];
      const { kind } = await trust.check(hook);
      if (kind !== 'trusted')
        return ['It is not run: you have not agreed to it yet. Review it with "codey hooks trust".'];
      return tryHook(hook, live.hooks, project.root, world);
    },
  };
}

type AnyHook = HookDefinition | LifecycleHook;

async function describeHook(
  hook: AnyHook,
  switches: HookSnapshot['switches'],
  trust: TrustPort,
): Promise<ListedHook> {
  const off = whySwitchedOff(hook, switches, 0);
  const { kind } = await trust.check(hook);
  const { scope, file, line } = hook.source;
  const listed = { id: hook.id, event: hook.event, ...whatItIs(hook), scope, file, line };
  const bySwitch =
    off === 'disabled' &&
    switches.disabledIds.has(hook.id) &&
    !switches.noHooks &&
    switches.disableAll === 'none';
  const switchable = scope !== 'managed' && scope !== 'host' && (off === undefined || bySwitch);
  if (off !== undefined)
    return { ...listed, switchable, state: 'disabled', why: sayWhy(off, switches, bySwitch) };
  if (kind === 'trusted') return { ...listed, switchable, state: 'active' };
  return kind === 'untrusted'
    ? { ...listed, switchable, state: 'untrusted', why: 'you have not agreed to it' }
    : { ...listed, switchable, state: 'modified', why: 'it changed since you agreed to it' };
}

function whatItIs(hook: AnyHook): Pick<ListedHook, 'type' | 'runs' | 'matcher' | 'condition'> {
  if (!('handler' in hook)) return { type: 'command', runs: hook.command };
  const { handler, matcher, condition } = hook;
  return {
    type: handler.type,
    runs: runsOf(handler),
    ...(matcher.text !== '' && { matcher: matcher.text }),
    ...(condition !== undefined && { condition: condition.text }),
  };
}

function runsOf(handler: HookDefinition['handler']): string {
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

function sayWhy(off: string, switches: HookSnapshot['switches'], bySwitch: boolean): string {
  if (off === 'bare') return '--bare leaves this event out';
  if (off === 'managed-only') return 'managed settings allow managed hooks only';
  if (off === 'depth') return 'this codey runs inside a hook';
  if (switches.noHooks) return '-no-hooks';
  if (switches.disableAll !== 'none') return 'disableAllHooks is set';
  return bySwitch ? 'you switched it off (disabledHooks)' : '--no-project-hooks';
}
