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
} from '@codey/hooks';

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
    ...own.flatMap((folder) => ownFiles.map((name) => join(folder, name))),
    // Also under their real names, where the repository lies elsewhere.
    ...places.roots.flatMap((root) => [join(root, '.git'), join(root, '.git/config')]),
  ];
  const folders = [
    ...own.flatMap((folder) => ownFolders.map((name) => join(folder, name))),
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
const ownFolders = ['hooks', 'agents', 'skills', 'plugins'];

async function withRealNames(
  paths: readonly string[],
  resolveLinks: ReturnType<typeof createLinkResolver>,
): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => resolveLinks(path).catch(() => path)));
  return [...new Set([...paths, ...real])];
}

/** Why a call needs a human, as half a sentence; undefined where it names nothing protected. */
export function findProtected(view: CallView, paths: ProtectedPaths, cwd: string): string | undefined {
  switch (view.subject.kind) {
    case 'command':
      return startsItself(view.subject) ?? lineNames(view.subject, paths, cwd);
    case 'path':
      return fileIs(view.subject, paths);
    case 'url':
    case 'none':
      return undefined;
  }
}

function fileIs(subject: PathSubject, paths: ProtectedPaths): string | undefined {
  const found = subject.forms.map((form) => normalize(form)).find((form) => matchesAny(form, paths));
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

function lineNames(line: CommandSubject, paths: ProtectedPaths, cwd: string): string | undefined {
  const words = [
    ...line.commands.flatMap((command) => command.words),
    ...line.redirects.map(({ target }) => target),
    // What could not be read word by word may still say what it is about.
    ...(line.complete ? [] : line.line.split(/[\s;|&<>()`"'{}]+/)),
  ];
  const bases = [cwd, ...directoriesIn(line).map((directory) => inDirectory(cwd, directory))];
  for (const named of words.flatMap(pathsIn)) {
    if (bases.some((base) => namesProtected(inDirectory(base, named), paths)))
      return `${printable(named)} is protected`;
  }
  return undefined;
}

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
  if (gitObeys.test(bare)) return true;
  if (!bare.includes(unknownPart)) {
    return files.includes(bare) || folders.some((folder) => bare === folder || bare.startsWith(`${folder}/`));
  }
  return (
    [...files, ...folders].some((file) => couldBe(bare, escapeGlob(file))) ||
    folders.some((folder) => couldBe(bare, `${escapeGlob(folder)}/*`))
  );
}

/** What git reads to know which programs to run and which repository to obey, in the workspace's repository and any inside. */
const gitObeys =
  /(?:^|\/)\.git(?:\/(?:config[^/]*|commondir|info\/attributes|(?:hooks|modules|worktrees)(?:\/.*)?))?$/is;

function couldBe(path: string, glob: string): boolean {
  return compileGlob(glob).couldMatch(path);
}

function printable(word: string): string {
  return word.replaceAll(unknownPart, '…');
}
