// What the gate judges calls by at one moment: one value, replaced as a whole when the user accepts a change.
import type { PermissionMode } from '@codey/hooks';
import type { ProtectedPaths } from './protected-paths.ts';
import type { RememberedApprovals } from './remembered.ts';
import type { PermissionRules } from './rules.ts';

export interface PermissionState {
  readonly mode: PermissionMode;
  readonly rules: PermissionRules;
  readonly protectedPaths: ProtectedPaths;
  /** Directories that count as inside beside the agent's workspace (`--add-dir`); absolute, without links. */
  readonly extraDirs: readonly string[];
  readonly remembered: RememberedApprovals;
}
