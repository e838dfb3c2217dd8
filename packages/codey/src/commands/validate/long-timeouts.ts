// Timeouts that were probably meant in milliseconds.
import type { HookDefinition } from '@codey/hooks';
import type { Suspicion } from './suspicions.ts';

/** From here on a round number of seconds is more likely a number of milliseconds: sixteen minutes is long for a hook. */
const unlikely = 1_000;

export function longTimeouts({ timeoutMs, source, dialect }: HookDefinition): readonly Suspicion[] {
  const seconds = timeoutMs / 1000;
  if (dialect !== 'native' || seconds < unlikely || seconds % 500 !== 0) return [];
  return [
    {
      source,
      message: `"timeout" is in seconds, and ${seconds} of them are ${Math.round(seconds / 60)} minutes`,
      hint: `did you mean ${seconds / 1000}?`,
    },
  ];
}
