// The files a hook's agreement reaches: named by its command and in the project, or in a folder that is covered whole.
import { basename, relative, resolve } from 'node:path';
import { isInside } from '../condition/path.ts';
import type { FileMarks } from './fingerprint.ts';
import type { Inspection } from './inspection.ts';
import type { Look } from './look.ts';
import type { Stamp } from './stamp.ts';

export interface CoveragePlace {
  /** Project root: absolute, without links. */
  readonly root: string;
  /** Where the hook would run; the root or a worktree. Absolute, without links. */
  readonly workspace: string;
  /** Root of the plugin or skill the hook comes from. */
  readonly contributor?: string;
}

export interface Coverage {
  /** Every path whose change may change the marks: also files that are not there yet. */
  readonly watched: readonly Watched[];
  readonly marks: FileMarks;
  /** Covered files and whole folders as people know them, with what is not covered about them. */
  readonly listed: readonly ListedFile[];
  /** Absolute paths of the same, under their own and their real names. */
  readonly paths: readonly string[];
}

export interface ListedFile {
  readonly name: string;
  readonly note?: string;
}

interface Watched {
  readonly path: string;
  readonly stamp: Stamp;
  /** Of a folder that a word names only which one it is counts; of one that is covered whole also what is in it. */
  readonly whole: boolean;
}

/** Never rejects. `paths` are those the command names. */
export async function coverPaths(
  paths: readonly string[],
  place: CoveragePlace,
  inspection: Inspection,
): Promise<Coverage> {
  const looks = await Promise.all(paths.map((path) => inspection.look(path)));
  const covered = await filterAsync(looks, (look) => isCovered(look, place, inspection));
  const folders = [...new Set(covered.flatMap((look) => wholeFolders(look, place)))];
  const whole = await Promise.all(folders.map((folder) => coverFolderOnce(folder, place, inspection)));
  // Also what lies in such a folder: its listing stops at links and limits, and what is named must be covered all the same.
  const named = coverFiles(covered, place);
  const alone = coverFiles(
    covered.filter(({ path }) => !isInside(resolve(path), folders)),
    place,
  );
  return unite([{ ...named, listed: alone.listed }, ...whole]);
}

/** Whether everything still is as it was when the coverage was made. Takes microseconds. */
export function isUnchanged({ watched }: Coverage, inspection: Inspection): boolean {
  return watched.every(({ path, stamp, whole }) => {
    const now = inspection.stamp(path);
    if (stamp.kind === 'directory' && !whole) return now.identity === stamp.identity;
    return stamp.settled && now.text === stamp.text;
  });
}

/** What became of the files between two coverages; empty where they are the same. */
export function changesBetween(before: FileMarks, after: FileMarks): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const said = (verb: string, is: (name: string) => boolean) =>
    names.filter(is).map((name) => `${name} ${verb}`);
  return [
    ...said('changed', (name) => has(before, name) && has(after, name) && before[name] !== after[name]),
    ...said('appeared', (name) => !has(before, name)),
    ...said('vanished', (name) => !has(after, name)),
  ];
}

function has(marks: FileMarks, name: string): boolean {
  return Object.hasOwn(marks, name);
}

/** `guard.sh changed`, or the first of several with their number: for a sentence that has little room. */
export function summarizeChanges(changes: readonly string[]): string {
  const [first = 'it changed', ...others] = changes;
  const [, name = '', verb = ''] = /^(.*) (\w+)$/s.exec(first) ?? [];
  const short = `${basename(name)} ${verb}`;
  return others.length === 0 ? short : `${short} (and ${others.length} more)`;
}

async function isCovered(
  { path, real, stamp }: Look,
  place: CoveragePlace,
  { resolveLinks }: Inspection,
): Promise<boolean> {
  const places = [
    place.root,
    place.workspace,
    ...(place.contributor === undefined ? [] : [place.contributor]),
  ];
  if (isInside(resolve(path), places)) return true;
  // What is not there yet may come to lie in the project through a link above it.
  const target = stamp.kind === 'absent' ? await resolveLinks(path).catch(() => undefined) : real;
  return target !== undefined && isInside(target, places);
}

/** The hook, plugin or skill folders that a path lies in, under its own name or its real one. */
function wholeFolders(
  { path, real, stamp }: Look,
  { root, workspace, contributor }: CoveragePlace,
): readonly string[] {
  if (stamp.kind === 'directory') return [];
  const hooks = [workspace, root].flatMap((base) => [`${base}/.codey/hooks`, `${base}/.koder/hooks`]);
  // A plugin that is the project, or holds it, does not make the whole project a hook.
  const whole = contributor === undefined || isInside(root, [contributor]) ? hooks : [contributor, ...hooks];
  return whole.filter(
    (folder) => isInside(resolve(path), [folder]) || (real !== undefined && isInside(real, [folder])),
  );
}

/** Hooks of one folder share its coverage for as long as they share an inspection. */
function coverFolderOnce(folder: string, place: CoveragePlace, inspection: Inspection): Promise<Part> {
  const parts = folderParts.get(inspection) ?? new Map<string, Promise<Part>>();
  folderParts.set(inspection, parts);
  const key = `${folder}\0${place.workspace}`;
  const part = parts.get(key) ?? coverFolder(folder, place, inspection);
  parts.set(key, part);
  return part;
}

const folderParts = new WeakMap<Inspection, Map<string, Promise<Part>>>();

async function coverFolder(folder: string, place: CoveragePlace, inspection: Inspection): Promise<Part> {
  const listing = await inspection.list(folder);
  const looks = await Promise.all(listing.files.map((file) => inspection.look(file)));
  const files = coverFiles(looks, place);
  const notes = [
    ...(listing.note === undefined ? [] : [listing.note]),
    ...looks
      .filter(leadsToFolder)
      .map(({ path }) => `${basename(path)} is a link to a folder, whose content is not covered`),
    ...files.listed.flatMap(({ name, note }) => (note === undefined ? [] : [`${basename(name)}: ${note}`])),
  ];
  return {
    watched: [...listing.folders.map((entry) => ({ ...entry, whole: true })), ...files.watched],
    marks: files.marks,
    listed: [{ name: `${nameOf(folder, place)}/`, ...(notes.length > 0 && { note: notes.join('; ') }) }],
    paths: [
      folder,
      ...looks.flatMap(({ path, real }) => (real === undefined || real === path ? [] : [real])),
    ],
  };
}

function leadsToFolder({ stamp }: Look): boolean {
  return stamp.isLink && stamp.kind === 'directory';
}

interface Part extends Omit<Coverage, 'marks'> {
  readonly marks: readonly (readonly [name: string, mark: string])[];
}

function coverFiles(looks: readonly Look[], place: CoveragePlace): Part {
  const there = looks.filter(({ stamp }) => stamp.kind !== 'absent');
  const files = there.filter(({ stamp }) => stamp.kind !== 'directory');
  return {
    watched: looks.map(({ path, stamp }) => ({ path, stamp, whole: false })),
    marks: there.map((look) => [nameOf(look.path, place), markOf(look, place)]),
    listed: files.map(({ path, note }) => ({
      name: nameOf(path, place),
      ...(note !== undefined && { note }),
    })),
    paths: files.flatMap(({ path, real }) => (real === undefined || real === path ? [path] : [path, real])),
  };
}

/** Two files can have one name, in the root and in a worktree: the mark then holds both, so that neither hides the other. */
function unite(parts: readonly Part[]): Coverage {
  const marks = new Map<string, Set<string>>();
  for (const [name, mark] of parts.flatMap((part) => part.marks))
    marks.set(name, (marks.get(name) ?? new Set()).add(mark));
  const names = [...marks].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    watched: parts.flatMap(({ watched }) => watched),
    marks: Object.fromEntries(names.map(([name, all]) => [name, [...all].sort().join(' and ')])),
    listed: [...new Map(parts.flatMap(({ listed }) => listed).map((file) => [file.name, file])).values()],
    paths: [...new Set(parts.flatMap(({ paths }) => paths))],
  };
}

/** The link's text, where it leads and the content: any of them says that something else would run. */
function markOf({ path, real, link, content }: Look, place: CoveragePlace): string {
  const leads = real === undefined || real === path ? '' : ` at ${nameOf(real, place)}`;
  return `${link === undefined ? '' : `link ${link} `}${content}${leads}`;
}

/** The same in every worktree, so that the same file has the same name there. */
function nameOf(path: string, { root, workspace }: CoveragePlace): string {
  const plain = resolve(path);
  const base = [workspace, root].find((directory) => isInside(plain, [directory]));
  return base === undefined ? plain : relative(base, plain) || '.';
}

async function filterAsync<T>(
  items: readonly T[],
  test: (item: T) => Promise<boolean>,
): Promise<readonly T[]> {
  const kept = await Promise.all(items.map(test));
  return items.filter((_, index) => kept[index]);
}
