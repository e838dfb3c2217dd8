// Events on which a silently missing guard would let something through.

const guarded: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'ConfigChange',
]);

/** True for no lifecycle event: those change nothing. */
export function isGuarded(event: string): boolean {
  return guarded.has(event);
}
