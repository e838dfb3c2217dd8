// Why a hook is off before anything is matched: the switches of flags and settings, in one ladder.
import type { SkipReason } from '../policy/outcome.ts';
import type { HookDefinition, LifecycleHook } from './hook.ts';
import type { Switches } from './snapshot.ts';

/** Events that `--bare` leaves out, since nothing is set up and no instructions are loaded. */
const bareEvents: ReadonlySet<string> = new Set(['SessionStart', 'Setup', 'InstructionsLoaded']);

/** Undefined when the hook is on. */
export function whySwitchedOff(
  hook: HookDefinition | LifecycleHook,
  switches: Switches,
  depth: number,
): SkipReason | undefined {
  const { scope } = hook.source;
  if (switches.bare && bareEvents.has(hook.event)) return 'bare';
  if (scope === 'host') return undefined;
  if (switches.noHooks) return hook.source.file === switches.lockedFile ? undefined : 'disabled';
  if (switches.disableAll === 'all') return 'disabled';
  if (scope === 'managed') return undefined;
  if (switches.disableAll === 'all-but-managed') return 'disabled';
  if (switches.managedOnly) return 'managed-only';
  if (switches.noProjectHooks && hook.source.fromRepository) return 'disabled';
  if (switches.disabledIds.has(hook.id)) return 'disabled';
  return depth > 0 ? 'depth' : undefined;
}
