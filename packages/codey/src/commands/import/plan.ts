// What an import would write: for each settings file its text before and after, and what to look at by hand.
import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  editSetting,
  failureReason,
  isInside,
  type NativeHook,
  readSetting,
  settingsDirectories,
} from '@codey/hooks';
import { exitCodes, StartError } from '../../start/exit.ts';
import type { SettingsScope } from '../change-settings.ts';

export interface PlannedFile {
  /** Real path where it exists. */
  readonly file: string;
  readonly scope: SettingsScope;
  /** Undefined for a file that is not there yet. */
  readonly before: string | undefined;
  readonly after: string;
  readonly added: readonly NativeHook[];
  /** Those that stand there already. */
  readonly known: readonly NativeHook[];
}

export interface PlanOptions {
  /** Real path. */
  readonly root: string;
  readonly home: string | undefined;
}

/** The user's hooks go to the user's file, the project's to the project's, the local ones to the local one. */
export async function planImport(
  hooks: readonly NativeHook[],
  options: PlanOptions,
): Promise<readonly PlannedFile[]> {
  const scopes = ['user', 'project', 'local'] as const;
  const planned = await Promise.all(
    scopes.map(async (scope) => {
      const mine = hooks.filter(({ source }) => source.scope === scope);
      return mine.length === 0 ? [] : [await planFile(mine, scope, options)];
    }),
  );
  return planned.flat();
}

async function planFile(
  hooks: readonly NativeHook[],
  scope: SettingsScope,
  { root, home }: PlanOptions,
): Promise<PlannedFile> {
  if (scope === 'user' && home === undefined)
    throw new StartError('HOME is not set, so there is no file for the user’s own hooks');
  const base = scope === 'user' ? (home ?? root) : root;
  const name = scope === 'local' ? 'settings.local.json' : 'settings.json';
  const file = await chooseFile(base, name);
  if (scope !== 'user' && !isInside(file, [root]))
    throw new StartError(`${file} lies outside the project, so nothing is written to it`);
  const before = await readIfThere(file);
  const present = readGroups(before);
  const known = hooks.filter(({ event, group }) =>
    (present[event] ?? []).some((one) => isDeepStrictEqual(one, group)),
  );
  const added = hooks.filter((hook) => !known.includes(hook));
  return { file, scope, before, after: append(before ?? '', added, present, file), added, known };
}

/** What is there and cannot be read is not for us to replace. */
async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartError(`${file} cannot be read: ${failureReason(error)}`, exitCodes.failed);
  }
}

/** The file that is there, else one in the directory that is, else in the first of the two. */
async function chooseFile(base: string, name: string): Promise<string> {
  const directories = settingsDirectories.map((directory) => join(base, directory));
  const files = directories.map((directory) => join(directory, name));
  const [existing] = await existingOf(files);
  if (existing !== undefined) return existing;
  const [directory = directories[0] ?? base] = await existingOf(directories);
  return join(directory, name);
}

/** Real paths of those that exist. */
async function existingOf(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map((each) =>
      stat(each)
        .then(() => realpath(each))
        .catch(() => undefined),
    ),
  );
  return found.filter((each) => each !== undefined);
}

type Groups = Readonly<Record<string, readonly unknown[]>>;

/** What stands there now. A file that cannot be read so is refused when it is edited. */
function readGroups(text: string | undefined): Groups {
  const hooks = readSetting(text ?? '', ['hooks']);
  if (typeof hooks !== 'object' || hooks === null) return {};
  return Object.fromEntries(
    Object.entries(hooks).flatMap(([event, groups]) => (Array.isArray(groups) ? [[event, groups]] : [])),
  );
}

/** Each group behind those that are there, so that nothing written by hand moves. */
function append(before: string, hooks: readonly NativeHook[], present: Groups, file: string): string {
  let text = before;
  const counts = new Map(Object.entries(present).map(([event, groups]) => [event, groups.length]));
  for (const { event, group } of hooks) {
    const at = counts.get(event);
    const edit =
      at === undefined
        ? editSetting(text, ['hooks', event], [group])
        : editSetting(text, ['hooks', event, at], group);
    if (!edit.ok) throw new StartError(`${file} was not changed: ${edit.message}`);
    text = edit.text;
    counts.set(event, (at ?? 0) + 1);
  }
  return text;
}
