// The permission modes from the strictest to the loosest: an agent never runs in a looser one than who started it.
import type { PermissionMode } from '@codey/hooks';

/** `dontAsk` stands before `default`: what that asks about, this refuses. */
export const modesByStrictness = [
  'plan',
  'dontAsk',
  'default',
  'acceptEdits',
  'bypassPermissions',
] as const satisfies readonly PermissionMode[];

export function looserThan(mode: PermissionMode, other: PermissionMode): boolean {
  return modesByStrictness.indexOf(mode) > modesByStrictness.indexOf(other);
}

export function stricterOf(mode: PermissionMode, other: PermissionMode): PermissionMode {
  return looserThan(mode, other) ? other : mode;
}
