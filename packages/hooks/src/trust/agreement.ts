// What agreeing to a hook or to a file's settings puts into the store. Pure.
import { relative } from 'node:path';
import { isInside } from '../condition/path.ts';
import type { SettingsFile } from '../config/settings.ts';
import { digestOf } from './canonical.ts';
import {
  type FileMarks,
  hookFingerprint,
  settingMarks,
  settingsFingerprint,
  whatRunsExactly,
} from './fingerprint.ts';
import type { Agreement } from './store.ts';
import type { AnyHook } from './trust.ts';

/** What agreeing to a hook stores. */
export function hookAgreement(hook: AnyHook, definition: string, marks: FileMarks, root: string): Agreement {
  return {
    fingerprint: hookFingerprint(definition, marks),
    subject: hook.event,
    file: shortName(hook.source.file, root),
    runs: whatRunsExactly(hook),
    definition,
    marks: Object.keys(marks).length > mostMarks ? { 'its files': digestOf(marks) } : marks,
  };
}

/** More would make the store large for the sake of naming which of them changed. */
const mostMarks = 100;

/** What agreeing to a file's other settings stores; undefined where it sets nothing that needs it. */
export function settingsAgreement(
  file: Pick<SettingsFile, 'file' | 'values'>,
  root: string,
): Agreement | undefined {
  const marks = settingMarks(file);
  if (Object.keys(marks).length === 0) return undefined;
  const name = shortName(file.file, root);
  return {
    fingerprint: settingsFingerprint(name, marks),
    subject: 'settings',
    file: name,
    runs: name,
    definition: '',
    marks,
  };
}

/** Relative to the root for a file in it, else absolute. */
export function shortName(file: string, root: string): string {
  return isInside(file, [root]) ? relative(root, file) : file;
}
