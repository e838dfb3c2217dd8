// One answer of the wizard: a setting and the value it shall have.
import type { SettingPath } from '@codey/hooks';

export interface Answer {
  readonly path: SettingPath;
  /** Undefined takes the setting away. */
  readonly value: unknown;
  /** Settings that count in managed files only are written to the user's own managed file. */
  readonly file: 'user' | 'managed';
}

export function setting(path: SettingPath, value: unknown): Answer {
  return { path, value, file: 'user' };
}
