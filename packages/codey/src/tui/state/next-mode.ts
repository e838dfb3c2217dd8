// The permission mode behind this one, for the key that goes through them.
import type { PermissionMode } from '@codey/hooks';

/** Only those that one may fall into by a key pressed once too often: none that runs what nobody has seen. */
const inTurn: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan'];

export function nextMode(mode: PermissionMode): PermissionMode {
  return inTurn[(inTurn.indexOf(mode) + 1) % inTurn.length] ?? 'default';
}
