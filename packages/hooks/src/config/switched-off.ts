// Why a hook is off before anything is matched: the switches of flags and settings, in one ladder.
import type { SkipReason } from '../policy/outcome.ts';
import type { HookDefinition, LifecycleHook } from './hook.ts';
import type { Switches } from './snapshot.ts';

/** Events that `--bare` leaves out, since nothing is set up and no instructions are loaded. */
const bareEvents: ReadonlySet<string> = new Set(['SessionStart', 'Setup', 'InstructionsLoaded']);

/** What turned a hook off, more exactly than the journal says it. */
export type Switch =
  /** `--bare`. */
  | 'bare'
  /** `-no-hooks`. */
  | 'no-hooks'
  /** `disableAllHooks` of a file that counts for it. */
  | 'disable-all'
  /** `allowManagedHooksOnly`. */
  | 'managed-only'
  /** `--no-project-hooks`. */
  | 'no-project-hooks'
  /** Its id in `disabledHooks`. */
  | 'disabled-id'
  /** This program was started by a hook. */
  | 'depth';

/** The first switch that turns the hook off; undefined when it is on. */
export function switchThatTurnedOff(
  hook: HookDefinition | LifecycleHook,
  switches: Switches,
  depth: number,
): Switch | undefined {
  const { scope } = hook.source;
  if (switches.bare && bareEvents.has(hook.event)) return 'bare';
  if (scope === 'host') return undefined;
  if (switches.noHooks) return hook.source.file === switches.lockedFile ? undefined : 'no-hooks';
  if (switches.disableAll === 'all') return 'disable-all';
  if (scope === 'managed') return undefined;
  if (switches.disableAll === 'all-but-managed') return 'disable-all';
  if (switches.managedOnly) return 'managed-only';
  if (switches.noProjectHooks && hook.source.fromRepository) return 'no-project-hooks';
  if (switches.disabledIds.has(hook.id)) return 'disabled-id';
  return depth > 0 ? 'depth' : undefined;
}

/** The same in the words of the journal. */
export function whySwitchedOff(
  hook: HookDefinition | LifecycleHook,
  switches: Switches,
  depth: number,
): SkipReason | undefined {
  const off = switchThatTurnedOff(hook, switches, depth);
  switch (off) {
    case 'no-hooks':
    case 'disable-all':
    case 'no-project-hooks':
    case 'disabled-id':
      return 'disabled';
    case 'bare':
    case 'managed-only':
    case 'depth':
    case undefined:
      return off;
  }
}
