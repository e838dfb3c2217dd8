// Files with which an agent could govern itself: a call that names one is for a human, in every mode.
import { join, normalize } from 'node:path';
import {
  type CallView,
  type CommandSubject,
  compileGlob,
  createLinkResolver,
  escapeGlob,
  type PathSubject,
  settingsDirectories,
  unknownPart,
  type UrlSubject,
} from '@codey/hooks';
import { steersGit } from './steers-git.ts';

export interface ProtectedPaths {
  /** Absolute paths of single files and of folders that may not be replaced as a whole. */
  readonly files: readonly string[];
  /** Absolute paths of folders with everything in them. */
  readonly folders: readonly string[];
}

export interface ProtectedPlaces {
  readonly home: string;
  /** The project root and, where it is another one, the agent's workspace. */
  readonly roots: readonly string[];
  /** Further settings files, hook scripts, the trust store, kept approvals; each also as it is without links. */
  readonly files?: readonly string[];
  /** Further folders, such as those of plugins and skills; each also as it is without links. */
  readonly folders?: readonly string[];
}

/** Everything protected, each path as it is named and as it is without links. */
export async function protectedPaths(places: ProtectedPlaces): Promise<ProtectedPaths> {
  const bases = [places.home, ...places.roots];
  const own = bases.flatMap((base) => settingsDirectories.map((name) => join(base, name)));
  const files = [
    ...own,
    ...own.flatMap((folder) => ownFiles.map((name) => `${folder}/${name}`)),
    // Also under their real names, where the repository lies elsewhere.
    ...places.roots.flatMap((root) => [join(root, '.git'), join(root, '.git/config')]),
  ];
  const folders = [
    ...own.flatMap((folder) => ownFolders.map((name) => `${folder}/${name}`)),
    ...bases.map((base) => join(base, '.agents/skills')),
    ...places.roots.map((root) => join(root, '.git/hooks')),
  ];
  const resolveLinks = createLinkResolver();
  const [allFiles, allFolders] = await Promise.all([
    withRealNames(files, resolveLinks),
    withRealNames(folders, resolveLinks),
  ]);
  return {
    files: [...new Set([...allFiles, ...(places.files ?? [])])],
    folders: [...new Set([...allFolders, ...(places.folders ?? [])])],
  };
}

const ownFiles = ['settings.json', 'settings.local.json', 'managed-settings.json', 'trust.json'];
/** `cache` holds compiled code that starts run. */
const ownFolders = ['hooks', 'agents', 'skills', 'plugins', 'cache'];

async function withRealNames(
  paths: readonly string[],
  resolveLinks: ReturnType<typeof createLinkResolver>,
): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => resolveLinks(path).catch(() => path)));
  return [...new Set([...paths, ...real])];
}

/** Where a call runs, and how paths are followed there. */
export interface NamingPlace {
  readonly cwd: string;
  /** The real place of an absolute path with `..` still in it; undefined where that cannot be told. */
  readonly follow: (path: string) => string | undefined;
}

/** Why a call needs a human, as half a sentence; undefined where it names nothing protected. */
export function findProtected(
  { subject }: CallView,
  paths: ProtectedPaths,
  place: NamingPlace,
): string | undefined {
  if (subject.kind === 'none') return undefined;
  if (subject.kind !== 'guessed') return plainNames(subject, paths, place);
  const found = subject.subjects.map((plain) => plainNames(plain, paths, place));
  return found.find((why) => why !== undefined) ?? fileIs(subject.texts, paths);
}

function plainNames(
  subject: CommandSubject | PathSubject | UrlSubject,
  paths: ProtectedPaths,
  place: NamingPlace,
): string | undefined {
  switch (subject.kind) {
    case 'command':
      return startsItself(subject) ?? lineNames(subject, paths, place) ?? steersGit(subject);
    case 'path':
      return fileIs(subject.forms, paths);
    case 'url':
      return undefined;
  }
}

function fileIs(forms: readonly string[], paths: ProtectedPaths): string | undefined {
  const found = forms.map((form) => normalize(form)).find((form) => matchesAny(form, paths));
  return found === undefined ? undefined : `${found} is protected`;
}

/** An agent that starts this program could do what it may not do itself. */
function startsItself({ commands, complete, line }: CommandSubject): string | undefined {
  const unread = complete
    ? []
    : line.split(/[\n;|&()`"']+/).map((part) => ({ words: part.trim().split(/\s+/) }));
  const starts = [...commands, ...unread].some(({ words: [first = '', ...rest] }) => {
    const name = baseName(first);
    return isOwnProgram(name) || (starters.has(name) && rest.some((word) => isOwnProgram(baseName(word))));
  });
  return starts ? 'the line starts codey itself' : undefined;
}

const starters = new Set(['node', 'npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bunx', 'bun', 'nodejs']);

function isOwnProgram(name: string): boolean {
  return /^(?:codey|koder)(?:\.js)?(?:@.*)?$/.test(name);
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

function lineNames(
  line: CommandSubject,
  paths: ProtectedPaths,
  { cwd, follow }: NamingPlace,
): string | undefined {
  const words = [
    ...line.commands.flatMap((command) => command.words),
    ...line.redirects.map(({ target }) => target),
  ];
  const patterns = words.some((word) => word.includes(unknownPart));
  const all = [
    ...words,
    // What could not be read word by word, or is one of several in braces, may still say what it is about.
    ...(line.complete && !patterns ? [] : line.line.split(/[\s;|&<>()`"'{},]+/)),
  ];
  const bases = [cwd, ...directoriesIn(line).map((directory) => inDirectory(cwd, directory))];
  for (const named of all.flatMap(pathsIn)) {
    const found = bases.some((base) => {
      const path = throughProc(named, base);
      return (
        hidesInProc(path) ||
        namesProtected(inDirectory(base, path), paths) ||
        namesOwnTail(inDirectory(base, path)) ||
        leadsToProtected(base, path, paths, follow)
      );
    });
    if (found) return `${printable(named)} is protected`;
  }
  return undefined;
}

/** `/proc/self/cwd` is where the line runs, `/proc/self/root` everything. */
function throughProc(path: string, cwd: string): string {
  if (!path.includes('proc/')) return path;
  const [whole, end] = /^\/+proc\/[^/]+\/(?:task\/[^/]+\/)?(cwd|root)(?=\/|$)/.exec(path) ?? [];
  if (whole === undefined) return path;
  return (end === 'cwd' ? cwd : '') + (path.slice(whole.length) || '/');
}

/** A file below what a process holds open could be any. */
function hidesInProc(path: string): boolean {
  return path.includes('fd/') && /^\/+(?:proc\/[^/]+\/(?:task\/[^/]+\/)?|dev\/)fd\/[^/]+\/+[^/]/.test(path);
}

/** Links are followed as far as the path is known. */
function leadsToProtected(
  base: string,
  path: string,
  paths: ProtectedPaths,
  follow: NamingPlace['follow'],
): boolean {
  const written = path.startsWith('/') ? path : `${base}/${path}`;
  if (written.length > longestPath || written.startsWith(unknownPart)) return false;
  const split = written.includes(unknownPart) ? /^([^\0]*)(\/[^/\0]*\0.*)$/s.exec(written) : null;
  const [, known = written, rest = ''] = split ?? [];
  const real = known.startsWith('/') ? follow(known) : undefined;
  return real !== undefined && real !== known && namesProtected(inDirectory('/', real + rest), paths);
}

const longestPath = 4096;

/** Where `cd` and options such as `-C` lead: later words may start from there. */
function directoriesIn({ commands }: CommandSubject): readonly string[] {
  return commands.flatMap(({ words }) =>
    words.filter((_, at) => ['cd', 'pushd', '-C', '--directory', '--chdir'].includes(words[at - 1] ?? '')),
  );
}

/** The word itself, and what in an option could be a path: `of=file`, `--output=file`, `-ofile`. */
function pathsIn(word: string): readonly string[] {
  const equals = word.indexOf('=');
  return [
    word,
    ...(equals === -1 ? [] : [word.slice(equals + 1)]),
    ...(/^-[A-Za-z]./.test(word) ? [word.slice(2)] : []),
  ];
}

function inDirectory(base: string, path: string): string {
  const absolute = path.startsWith('/') || path.startsWith(unknownPart) ? path : `${base}/${path}`;
  // What `..` climbs out of may be unknown itself: then all before it is.
  return absolute.includes(unknownPart)
    ? absolute.replace(/^.*\/\.\.(?=\/|$)/s, unknownPart).replace(/\/(?:\.?\/)+/g, '/')
    : normalize(absolute);
}

/**
 * A word that is known in part only counts where the known part names the hidden folder that makes the path special:
 * `~/.codey/settings.json` does, `*.json` does not.
 */
function namesProtected(path: string, paths: ProtectedPaths): boolean {
  if (!path.includes(unknownPart)) return matchesAny(path, paths);
  return /(?:^|\/)\.[^./\0]/.test(path) && matchesAny(path, paths);
}

function matchesAny(path: string, { files, folders }: ProtectedPaths): boolean {
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (mayHide(bare) && gitObeys.test(bare)) return true;
  if (!bare.includes(unknownPart)) {
    return files.includes(bare) || folders.some((folder) => bare === folder || bare.startsWith(`${folder}/`));
  }
  return (
    [...files, ...folders].some((file) => couldBe(bare, escapeGlob(file))) ||
    folders.some((folder) => couldBe(bare, `${escapeGlob(folder)}/*`))
  );
}

/** Most paths name nothing hidden, and need no pattern to be known for that. */
function mayHide(path: string): boolean {
  return path.startsWith('.') || path.includes('/.') || path.includes(unknownPart);
}

/** What git reads to know which programs to run and which repository to obey, in the workspace's repository and any inside. */
const gitObeys =
  /(?:^|\/)\.git(?:\/(?:config[^/]*|commondir|info\/attributes|(?:hooks|modules|worktrees)(?:\/.*)?))?$/is;

/**
 * The end of a protected path, wherever it begins: a line may make a link first, or write `.?odey` for a name. What is
 * unknown as a whole is no name, else every `*` would be one.
 */
function namesOwnTail(path: string): boolean {
  // Each of them begins with a hidden name.
  if (!mayHide(path)) return false;
  ownTails ??= makeOwnTails();
  const tails = ownTails;
  const parts = path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  return parts.some((part, at) => {
    if (!saysName(part)) return false;
    return tails.some(
      ({ names, deep }) =>
        (deep ? parts.length - at >= names.length : parts.length - at === names.length) &&
        names.every((name, index) => name.couldMatch(parts[at + index] ?? '')),
    );
  });
}

/** Patterns and variables rarely stand for a leading dot that they do not show. */
function saysName(part: string): boolean {
  return part.startsWith('.') || part.replaceAll(unknownPart, '').length >= 3;
}

interface Tail {
  readonly names: readonly Glob[];
  /** Whether everything below belongs to it. */
  readonly deep: boolean;
}

/** Made when the first path asks for them. */
let ownTails: readonly Tail[] | undefined;

const makeOwnTails = (): readonly Tail[] => [
  ...settingsDirectories.flatMap((folder) => [
    tail(folder),
    ...ownFiles.map((name) => tail(`${folder}/${name}`)),
    ...ownFolders.map((name) => tail(`${folder}/${name}`, true)),
  ]),
  tail('.agents/skills', true),
  ...['.git', '.git/config*', '.git/commondir', '.git/info/attributes'].map((path) => tail(path)),
  ...['.git/hooks', '.git/modules', '.git/worktrees'].map((path) => tail(path, true)),
];

function tail(path: string, deep = false): Tail {
  return { names: path.split('/').map(compileGlob), deep };
}

type Glob = ReturnType<typeof compileGlob>;

function couldBe(path: string, glob: string): boolean {
  return compileGlob(glob).couldMatch(path);
}

function printable(word: string): string {
  return word.replaceAll(unknownPart, '…');
}
