// The shell commands that only read. A line made of nothing else runs without asking.
import { type CommandSubject, isInside, type SimpleCommand, unknownPart, writesFile } from '@codey/hooks';

/** Where a line runs, and the directories it may read in. All absolute and without links. */
export interface ReadingPlace {
  readonly cwd: string;
  readonly roots: readonly string[];
  /** Whether git in that directory obeys the workspace's own repository and none inside it. */
  readonly ownGit: (directory: string) => boolean;
  /** Whether an absolute path, `..` still in it, stays in the roots when it is followed as the kernel does. */
  readonly leadsInside: (path: string) => boolean;
  /** Whether an absolute path is a folder. */
  readonly isFolder: (path: string) => boolean;
}

/** What one command may not be given, so that it stays one that reads. */
interface Limits {
  /** Letters of options that write, run or set something, also inside a cluster such as `-uo`. */
  readonly short?: string;
  /** Long names of such options; a shortened one counts. */
  readonly long?: readonly string[];
  /** A last word on all words behind the name. */
  readonly fits?: (words: readonly string[]) => boolean;
}

/**
 * The list. What is missing from it is missing on purpose: `awk` and `sed` run and write, `env` and `jq` print variables
 * such as keys, pagers start programs, `xxd` and `hostname` change what their operand names.
 */
export const readingCommands: Readonly<Record<string, Limits>> = {
  '[': { fits: readsNoIndex },
  basename: {},
  cat: {},
  cd: { fits: (words) => words.length === 1 && !words[0]?.startsWith('-') },
  cmp: {},
  comm: {},
  command: { fits: (words) => words[0] === '-v' || words[0] === '-V' },
  cut: {},
  date: { short: 's', long: ['set'], fits: (words) => operands(words).every((word) => word.startsWith('+')) },
  df: {},
  // Goes through folders by following links, as the options of the others do that are missing here; pages with `pr`.
  diff: { short: 'rl', long: ['recursive', 'paginate'] },
  dirname: {},
  du: { short: 'L', long: ['dereference', 'files0-from'] },
  echo: {},
  egrep: { short: 'R', long: ['dereference-recursive'] },
  false: {},
  fgrep: { short: 'R', long: ['dereference-recursive'] },
  // Compiles, reads a list of files, prints what is no list of magic numbers, starts unpackers, sets times.
  file: {
    short: 'CfmMzZp',
    long: ['compile', 'files-from', 'magic-file', 'uncompress', 'uncompress-noreport', 'preserve-date'],
  },
  find: {
    fits: (words) =>
      !words.some((word) =>
        /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|[EHPXdsx]*L[EHLPXdsx]*|follow|files0-from)$/.test(
          word,
        ),
      ),
  },
  git: { fits: readsWithGit },
  grep: { short: 'R', long: ['dereference-recursive'] },
  head: {},
  id: {},
  ls: { short: 'L', long: ['dereference'] },
  md5sum: { short: 'c', long: ['check'] },
  nl: {},
  od: {},
  paste: {},
  printf: { short: 'v' },
  pwd: {},
  readlink: {},
  realpath: {},
  rg: { short: 'zL', long: ['pre', 'hostname-bin', 'search-zip', 'follow'] },
  seq: {},
  sha256sum: { short: 'c', long: ['check'] },
  sort: { short: 'oT', long: ['output', 'compress-program', 'temporary-directory', 'files0-from'] },
  stat: {},
  // A word behind @ is a file with more words.
  strings: { fits: (words) => !words.some((word) => word.startsWith('@')) },
  tac: {},
  tail: {},
  test: { fits: readsNoIndex },
  tr: {},
  tree: { short: 'oRl', long: ['output'] },
  true: {},
  type: {},
  uname: {},
  // A second operand is the file it writes.
  uniq: { fits: (words) => operands(words).length <= 1 },
  wc: { long: ['files0-from'] },
  which: {},
  whoami: {},
};

/** Commands that do nothing but start another one, in the same directory and under its own name. */
const startersThatRead: Readonly<Record<string, Limits>> = {
  bash: { fits: takesLine },
  builtin: {},
  command: {},
  dash: { fits: takesLine },
  // Another directory, another name for what it starts, a string with rules of its own.
  env: { short: 'CSa', long: ['chdir', 'split-string', 'argv0'] },
  eval: {},
  nice: {},
  sh: { fits: takesLine },
  stdbuf: {},
  // Writes what it measured.
  time: { short: 'o', long: ['output'] },
  timeout: {},
  zsh: { fits: takesLine },
};

/** `--rcfile` and a script run more than the line. */
function takesLine([first = '', ...rest]: readonly string[]): boolean {
  return /^-[elux]*c$/.test(first) && !rest[0]?.startsWith('-') && !rest[0]?.startsWith('+');
}

/** Whether everything a line does is reading inside the roots, known word by word. */
export function isReadingLine(line: CommandSubject, place: ReadingPlace): boolean {
  return (
    line.complete &&
    line.commands.length > 0 &&
    line.assigned.length === 0 &&
    line.redirects.every(
      (redirect) => !writesFile(redirect) && staysInside(redirect.target, directoriesOf(line, place), place),
    ) &&
    line.commands.every((command) =>
      command.transparent ? onlyStarts(command) : isReadingCommand(command, line, place),
    )
  );
}

/** The words of what it starts are looked at as well: nobody can tell here where they begin. */
function onlyStarts({ words: [name = '', ...rest] }: SimpleCommand): boolean {
  const limits = Object.hasOwn(startersThatRead, name) ? startersThatRead[name] : undefined;
  return (
    limits !== undefined &&
    !rest.some((word) => isForbiddenOption(word, limits)) &&
    (limits.fits?.(rest) ?? true)
  );
}

/** One command of a line. `./ls` is some program of that name and not the command on the list. */
export function isReadingCommand(
  { words }: SimpleCommand,
  line: CommandSubject,
  place: ReadingPlace,
): boolean {
  const [name = '', ...rest] = words;
  const limits = Object.hasOwn(readingCommands, name) ? readingCommands[name] : undefined;
  if (limits === undefined || words.some((word) => word.includes(unknownPart))) return false;
  // Where `..` leads after a `cd` depends on the path of the first; where nothing leads up, nothing leads out.
  const climbs =
    line.commands.some((command) => command.words[0] === 'cd') &&
    rest.some((word) => /\.\.(?:\/|$)/.test(word));
  const directories = directoriesOf(line, place);
  return (
    isInside(place.cwd, place.roots) &&
    place.leadsInside(place.cwd) &&
    // What its wrappers change holds for it as well.
    line.commands.every((other) => !other.transparent || onlyStarts(other)) &&
    !climbs &&
    rest.every((word) => staysInside(word, directories, place)) &&
    !rest.some((word) => isForbiddenOption(word, limits)) &&
    (limits.fits?.(rest) ?? true) &&
    // Git runs what the settings of a repository name.
    (name !== 'git' || directories?.every(place.ownGit) === true) &&
    // Of two folders it reads every file, links included.
    (name !== 'diff' || !comparesFolder(rest, directories ?? [], place))
  );
}

function comparesFolder(
  words: readonly string[],
  directories: readonly string[],
  { isFolder }: ReadingPlace,
): boolean {
  return words.some((word) =>
    pathsIn(word).some((path) => directories.some((directory) => isFolder(inDirectory(directory, path)))),
  );
}

/** Where a command of the line may run: after one `cd` in one of two directories, after more nobody knows. */
function directoriesOf({ commands }: CommandSubject, { cwd }: ReadingPlace): readonly string[] | undefined {
  const changes = commands.filter(({ words }) => words[0] === 'cd').map(({ words }) => words[1] ?? '');
  return changes.length < 2 ? [cwd, ...changes.map((to) => inDirectory(cwd, to))] : undefined;
}

/** `..` stays in it: where that leads is for whoever follows the links before it. */
function inDirectory(directory: string, path: string): string {
  return path.startsWith('/') ? path : `${directory}/${path}`;
}

/** A word that could name a file must name one inside. */
function staysInside(
  word: string,
  directories: readonly string[] | undefined,
  { leadsInside }: ReadingPlace,
): boolean {
  if (word.includes(unknownPart) || directories === undefined) return false;
  if (word.startsWith('-') && word.length > longestOption) return false;
  return pathsIn(word).every(
    (path) =>
      path === '/dev/null' ||
      path === '' ||
      directories.every((directory) => leadsInside(inDirectory(directory, path))),
  );
}

/** Each letter of an option may be the last before a value. */
const longestOption = 200;

/** All that a word may give a command to open: itself, and in an option the value behind `=` or glued to a letter. */
function pathsIn(word: string): readonly string[] {
  if (!word.startsWith('-')) return [word];
  const values = [...word.matchAll(/[=:,]/g)].map(({ index }) => word.slice(index + 1));
  const glued = word.startsWith('--') ? [] : Array.from(word, (_, at) => word.slice(at)).slice(2);
  const all = [word, ...values, ...glued];
  // Some programs know a home folder themselves.
  return all.map((value) => (value.startsWith('~') ? '/' : value));
}

function isForbiddenOption(word: string, { short = '', long = [] }: Limits): boolean {
  if (word.startsWith('--')) {
    const name = word.slice(2).replace(/=.*/s, '');
    return name !== '' && long.some((forbidden) => forbidden.startsWith(name));
  }
  return word.startsWith('-') && Array.from(short).some((letter) => word.includes(letter));
}

/** A lone dash is one, and everything behind `--`. */
function operands(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  const before = end === -1 ? words : words.slice(0, end);
  return [
    ...before.filter((word) => word === '-' || !word.startsWith('-')),
    ...(end === -1 ? [] : words.slice(end + 1)),
  ];
}

/** `test -v 'a[$(x)]'` runs x. */
function readsNoIndex(words: readonly string[]): boolean {
  return !words.some((word) => /[$`]/.test(word));
}

function readsWithGit(words: readonly string[]): boolean {
  const start = words.findIndex((word) => !['--no-pager', '-P', '--no-optional-locks'].includes(word));
  const [subcommand = '', ...rest] = start === -1 ? [] : words.slice(start);
  const fits = Object.hasOwn(gitReaders, subcommand) ? gitReaders[subcommand] : undefined;
  return (
    fits !== undefined &&
    !rest.some((word) => isForbiddenOption(word, gitLimits) || checksSignature.test(word)) &&
    fits(rest)
  );
}

/** A placeholder of formats for which git starts a program. */
const checksSignature = /%[-+ ]?G/;

/** Options of several subcommands that write a file or start a program. */
const gitLimits: Limits = {
  long: [
    'ext-diff',
    'textconv',
    'output',
    'open-files-in-pager',
    'exec',
    'upload-pack',
    'show-signature',
    'contents',
    'no-index',
  ],
};

const gitReaders: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  blame: () => true,
  branch: (words) =>
    lists(
      words,
      ['--list', '-l'],
      /^(?:-[arvl]+|--(?:list|all|remotes|verbose|show-current|no-color|color|column|no-column|ignore-case|sort|format|contains|no-contains|merged|no-merged|points-at)(?:=.*)?)$/,
    ),
  describe: () => true,
  diff: () => true,
  log: () => true,
  'ls-files': () => true,
  'ls-tree': () => true,
  'merge-base': () => true,
  reflog: (words) => words.length === 0 || words[0] === 'show',
  remote: (words) => words.every((word) => word === '-v' || word === '--verbose'),
  'rev-list': () => true,
  'rev-parse': () => true,
  shortlog: () => true,
  show: () => true,
  stash: (words) => words[0] === 'list' || words[0] === 'show',
  status: () => true,
  tag: (words) =>
    lists(
      words,
      ['--list', '-l'],
      /^(?:-l|-n\d*|--(?:list|sort|format|contains|no-contains|merged|no-merged|points-at|column|no-column)(?:=.*)?)$/,
    ),
  worktree: (words) => words[0] === 'list',
};

/** Without an operand these list; with one they make something, unless told to list. */
function lists(words: readonly string[], asked: readonly string[], listing: RegExp): boolean {
  const options = words.filter((word) => word.startsWith('-'));
  return (
    options.every((word) => listing.test(word)) &&
    (options.length === words.length || asked.some((word) => options.includes(word)))
  );
}
