// Saves one setting: the right file, one key, all or nothing.
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { parseDocument, properties } from './document.ts';
import { editSetting, type SettingPath } from './edit-text.ts';
import { errorCode, localDisk, readTextIfAny, type WritePort } from './file-system.ts';
import { ensureLocalIgnored } from './local-ignore.ts';
import { replaceFile } from './replace-file.ts';
import { settingsDirectories } from './scopes.ts';

export interface WriteOptions {
  /** Managed files and the one named by `--settings` are never written. */
  readonly scope: 'user' | 'project' | 'local';
  readonly projectRoot: string;
  /** Needed for the user's settings. */
  readonly home?: string;
  readonly path: SettingPath;
  /** Undefined takes the setting away. */
  readonly value: unknown;
  readonly fs?: WritePort;
}

/** What became of a change to a settings file. A conflict or a refusal of the disk is a value, not an exception. */
export type WriteResult =
  | {
      readonly kind: 'written';
      /** Real path of the file. */
      readonly file: string;
      /** Absent where the file is new. With `after` it lets a caller take the change back if nobody changed it since. */
      readonly before?: string;
      readonly after: string;
      /** Permission bits it has now; those it had before where it was there. */
      readonly mode: number;
      /** Of a `settings.local.json`: whether a `.gitignore` beside it keeps it out of git. */
      readonly ignored?: boolean;
    }
  /** The setting already had the value. */
  | { readonly kind: 'unchanged'; readonly file: string }
  | { readonly kind: 'refused'; readonly file: string; readonly message: string };

/**
 * Writes the file that has the key, else one in the directory that exists, else in `.codey`. The new text is put in
 * place in one step with the mode the file had; a file that somebody else changes meanwhile is left as they made it.
 */
export async function writeSetting({ fs = localDisk, ...options }: WriteOptions): Promise<WriteResult> {
  const file = await chooseFile(options, fs);
  try {
    const target = await resolveTarget(file, options, fs);
    if (target === undefined) {
      return { kind: 'refused', file, message: `${file} leads out of the project, so it is not written` };
    }
    return await writeTarget(target, options, fs);
  } catch (error) {
    return { kind: 'refused', file, message: `${file} cannot be written: ${errorCode(error)}` };
  }
}

type Request = Omit<WriteOptions, 'fs'>;

async function writeTarget(file: string, options: Request, fs: WritePort): Promise<WriteResult> {
  const before = await readTextIfAny(file, fs);
  const edit = editSetting(before ?? '', options.path, options.value);
  if (!edit.ok) return { kind: 'refused', file, message: `${file}: ${edit.message}` };
  if (edit.text === (before ?? '')) return { kind: 'unchanged', file };
  const mode = before === undefined ? newMode(options.scope) : (await fs.stat(file)).mode & 0o7777;
  await fs.mkdir(dirname(file), { recursive: true });
  const unchanged = async (): Promise<boolean> => (await readTextIfAny(file, fs)) === before;
  const replacement = { file, text: edit.text, ...(mode === undefined ? {} : { mode }), unchanged };
  if (!(await replaceFile(replacement, fs)))
    return { kind: 'refused', file, message: `${file} was changed by somebody else meanwhile; try again` };
  const written = {
    kind: 'written',
    file,
    ...(before === undefined ? {} : { before }),
    after: edit.text,
    mode: mode ?? (await fs.stat(file)).mode & 0o7777,
  } as const;
  if (options.scope !== 'local') return written;
  return { ...written, ignored: await ensureLocalIgnored(dirname(file), fs) };
}

async function chooseFile(options: Request, fs: WritePort): Promise<string> {
  const root = options.scope === 'user' ? options.home : options.projectRoot;
  if (root === undefined) throw new TypeError('writing user settings needs a home directory');
  const name = options.scope === 'local' ? 'settings.local.json' : 'settings.json';
  const files = settingsDirectories.map((directory) => join(root, directory, name));
  for (const file of files) if (await hasKey(file, options.path[0], fs)) return file;
  for (const file of files) if (await isDirectory(dirname(file), fs)) return file;
  return files[0] ?? join(root, '.codey', name);
}

async function hasKey(file: string, key: string, fs: WritePort): Promise<boolean> {
  const { root } = parseDocument((await readTextIfAny(file, fs).catch(() => undefined)) ?? '');
  return root?.type === 'object' && properties(root).some((property) => property.key === key);
}

async function isDirectory(directory: string, fs: WritePort): Promise<boolean> {
  return fs.stat(directory).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

/**
 * The file behind all links. People link their own settings from elsewhere; a repository whose link leads out of it
 * would make us write where its author points.
 */
async function resolveTarget(file: string, options: Request, fs: WritePort): Promise<string | undefined> {
  const target = await realTarget(file, fs);
  if (options.scope === 'user') return target;
  const way = relative(await fs.realpath(options.projectRoot), target);
  return way.startsWith('..') || isAbsolute(way) ? undefined : target;
}

/** Of a file that does not exist yet, the real path it will have. A link to nothing is an error. */
async function realTarget(file: string, fs: WritePort): Promise<string> {
  try {
    return await fs.realpath(file);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || (await exists(file, fs))) throw error;
    const parent = dirname(file);
    return join(parent === file ? parent : await realTarget(parent, fs), basename(file));
  }
}

async function exists(file: string, fs: WritePort): Promise<boolean> {
  return fs.lstat(file).then(
    () => true,
    () => false,
  );
}

/** A user's settings may hold secrets; a project's are shared, and the umask decides. */
function newMode(scope: WriteOptions['scope']): number | undefined {
  return scope === 'project' ? undefined : 0o600;
}
