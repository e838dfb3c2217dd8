// Says how many hooks of the repository wait for a review, and where that is done.
import type { HookSnapshot } from '@codey/hooks';

/** Undefined when none waits. */
export function heldBackNotice(snapshot: HookSnapshot, trusted: boolean): string | undefined {
  const { switches } = snapshot;
  if (trusted || switches.noHooks || switches.noProjectHooks) return undefined;
  const waiting = [...snapshot.policy, ...snapshot.lifecycle].filter(
    (hook) => hook.source.fromRepository,
  ).length;
  if (waiting === 0) return undefined;
  const [many, verb] =
    waiting === 1 ? ['1 hook of this repository', 'is'] : [`${waiting} hooks of this repository`, 'are'];
  return `${many} ${verb} held back until you agree: review with "codey hooks trust" (CI: --trust-project-hooks)`;
}
