// The names one file goes by: as it was written, relative to the workspace, absolute, and with links resolved.
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';

/** Resolves links in an absolute path whose last parts may not exist yet. Rejects where that cannot be told. */
export type ResolveLinks = (path: string) => Promise<string>;

export interface PathNames {
  /** Every name of the file; a rule that stops a call may use any. */
  readonly forms: readonly string[];
  /** The names of the file itself, without links and `..`; only these can allow a call. */
  readonly real: readonly string[];
  /** False where links could not be resolved, or it depends on who does. */
  readonly complete: boolean;
}

/** `written` is taken relative to `cwd`; `workspace` is an absolute path without links. */
export async function namesOfPath(
  written: string,
  place: { readonly workspace: string; readonly cwd: string; readonly realpath: ResolveLinks },
): Promise<PathNames> {
  const absolute = resolve(place.cwd, written);
  const plain = [...fromWorkspace(absolute, place.workspace), absolute];
  const resolved = await place.realpath(absolute).catch(() => undefined);
  if (resolved === undefined) return { forms: unique([written, ...plain]), real: [], complete: false };
  const real = unique([...fromWorkspace(resolved, place.workspace), resolved]);
  const climbed = written.includes('..') ? await climb(written, place) : resolved;
  if (climbed === resolved) return { forms: unique([written, ...plain, ...real]), real, complete: true };
  // Behind a link `..` leads elsewhere for whoever hands the path to the system as it is.
  const other = climbed === undefined ? [] : [...fromWorkspace(climbed, place.workspace), climbed];
  return { forms: unique([written, ...plain, ...real, ...other]), real, complete: false };
}

/** Where the system would go, which takes `..` out after it followed the links before it. */
function climb(
  written: string,
  { cwd, realpath }: { readonly cwd: string; readonly realpath: ResolveLinks },
): Promise<string | undefined> {
  return realpath(isAbsolute(written) ? written : `${cwd}/${written}`).then(normalize, () => undefined);
}

/** Whether a path is one of the roots or below it. All are absolute and without links. */
export function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));
}

/** Follows every link, also one whose target does not exist yet: writing to it would make the target. */
export const resolveLinks: ResolveLinks = async (path) => follow(path, 0);

const linkLimit = 40;

/** The system answers such questions in microseconds: asking them in the background takes ten times as long. */
function follow(path: string, links: number): string {
  if (links > linkLimit) throw new Error(`${path} leads through more than ${linkLimit} links`);
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
  }
  const parent = follow(dirname(path), links);
  const target = targetOf(path);
  return target === undefined ? join(parent, basename(path)) : follow(resolve(parent, target), links + 1);
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

/**
 * The same for many paths at one moment: folders that they share are looked at once, and nothing below a missing one.
 * Not for longer use, since it does not see what changes.
 */
export function createLinkResolver(): ResolveLinks {
  const known = new Map<string, { readonly real: string; readonly exists: boolean }>();
  const look = (path: string) => {
    const found = known.get(path) ?? lookInside(path);
    known.set(path, found);
    return found;
  };
  function lookInside(path: string) {
    const folder = dirname(path);
    if (folder === path) return { real: path, exists: true };
    const parent = look(folder);
    const inside = inFolder(parent.real, basename(path));
    if (!parent.exists) return { real: inside, exists: false };
    const facts = factsOf(inside);
    if (facts?.isSymbolicLink()) return { real: follow(inside, 0), exists: true };
    return { real: inside, exists: facts !== undefined };
  }
  return async (path) => look(path).real;
}

/** `join` looks at each character again, which is felt where dozens of paths are looked at. */
function inFolder(folder: string, name: string): string {
  if (name === '.' || name === '..') return join(folder, name);
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}

function factsOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (!isMissing(error)) throw error;
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function fromWorkspace(absolute: string, workspace: string): readonly string[] {
  const path = relative(workspace, absolute);
  return isAbsolute(path) ? [] : [path === '' ? '.' : path];
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
