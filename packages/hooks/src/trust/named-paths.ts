// Which paths a command's words can mean, from where it runs.
import { isAbsolute, resolve } from 'node:path';
import { unknownPart } from '../condition/glob.ts';
import { shells } from '../condition/read-shell.ts';
import { baseName } from '../condition/wrappers.ts';
import { type FilePresence, isFile } from '../runners/find-program.ts';
import type { CommandReading } from './command-reading.ts';

export interface NamingPlace {
  /** Directory the command starts in. */
  readonly cwd: string;
  /** The value of PATH. */
  readonly path: string;
  /** Values of the variables that name a directory. */
  readonly variables: Readonly<Record<string, string>>;
  /** Who asks about many commands at once gives one that remembers. */
  readonly present?: FilePresence;
}

export interface NamedPaths {
  readonly paths: readonly string[];
  /** It names more than is looked at. */
  readonly cut: boolean;
}

/** No command written by hand comes near; one that does must not hold up the start. */
const directoryLimit = 64;
const pathLimit = 5_000;

/**
 * `code`: what the command runs, which is its programs and what interpreters are given to run. `everything`: all its
 * words, since a guard is also what it reads.
 */
export type Reach = 'code' | 'everything';

/**
 * Absolute paths, existing or not, more rather than fewer: every word is looked for in every directory the line changes
 * to, whatever the order. `..` stays in a path where leaving it out could mean another file.
 */
export function namedPaths(reading: CommandReading, place: NamingPlace, reach: Reach): NamedPaths {
  const commands = reading.commands.map((words) => words.map((word) => meanings(word, reading, place)));
  const directories = changedDirectories(commands, place.cwd);
  const readsCode = reach === 'everything' || commands.some(([name]) => name?.some(isInterpreter));
  const inputs = readsCode ? reading.inputs.flatMap((target) => meanings(target, reading, place)) : [];
  const paths = new Set([
    ...commands.flatMap((words) => pathsOf(words, directories, place, reach)),
    ...inputs.flatMap((word) => inDirectories(word, directories)),
  ]);
  const cut = directories.length >= directoryLimit || paths.size > pathLimit;
  return { paths: [...paths].slice(0, pathLimit), cut };
}

/** A word as everything it may come to. A quoted variable is text to one shell and a value to the next inside it. */
function meanings(
  word: string,
  { marks }: CommandReading,
  { cwd, variables }: NamingPlace,
): readonly string[] {
  const used = marks.filter((mark) => word.includes(mark.text));
  const spelled = (value: (mark: (typeof marks)[number]) => string) =>
    used.reduce((text, mark) => text.replaceAll(mark.text, value(mark)), word);
  const texts =
    used.length === 0
      ? [word]
      : [spelled((mark) => variables[mark.variable] ?? ''), spelled((mark) => mark.written)];
  return texts.flatMap((text) => (text.includes(unknownPart) ? behindUnknown(text, cwd) : [text]));
}

/** `"$(git rev-parse --show-toplevel)"/check.sh`: what is not known most often names the project. */
function behindUnknown(word: string, cwd: string): readonly string[] {
  const rest = word.slice(word.lastIndexOf(unknownPart) + 1);
  return rest.startsWith('/') && rest.length > 1 ? [cwd + rest] : [];
}

type Meanings = readonly string[];

function changedDirectories(commands: readonly (readonly Meanings[])[], cwd: string): readonly string[] {
  const directories = new Set([cwd]);
  const changes = commands.flatMap((words) => directoryWords(words));
  for (const change of changes) {
    for (const path of inDirectories(change, [...directories])) {
      if (directories.size < directoryLimit) directories.add(path);
    }
  }
  return [...directories];
}

/** What `cd` and options such as `-C` are given. */
function directoryWords([name, ...words]: readonly Meanings[]): readonly string[] {
  if (name?.some((text) => text === 'cd' || text === 'pushd'))
    return words.flat().filter((word) => !word.startsWith('-'));
  return words.flatMap((meaning, at) => {
    const attached = meaning.flatMap((text) => /^--(?:chdir|directory)=(.+)$/s.exec(text)?.[1] ?? []);
    return words[at - 1]?.some((text) => /^(?:-C|--chdir|--directory)$/.test(text)) ? meaning : attached;
  });
}

function pathsOf(
  [name = [], ...words]: readonly Meanings[],
  directories: readonly string[],
  place: NamingPlace,
  reach: Reach,
): readonly string[] {
  const programs = name.flatMap((text) => programPaths(text, directories, place));
  if (name.some((text) => writers.has(baseName(text)))) return programs;
  const named = reach === 'everything' ? words.flat().flatMap(withoutOption) : codeWords(name, words);
  const searched = name.some((text) => shells.has(baseName(text)) || text === '.' || text === 'source');
  return [
    ...programs,
    ...named.flatMap((word) => inDirectories(word, directories)),
    ...(searched
      ? named.filter((word) => !word.includes('/')).flatMap((word) => onPath(word, directories, place))
      : []),
  ];
}

/** What an interpreter is given to run: its first word that is no option, and what options that load files are given. */
function codeWords(name: Meanings, words: readonly Meanings[]): readonly string[] {
  if (!name.some(isInterpreter)) return [];
  const operand = words.findIndex((meaning) => meaning.some((text) => text !== '' && !text.startsWith('-')));
  return words.flatMap((meaning, at) => {
    const loaded = words[at - 1]?.some((text) => loadingOptions.test(text)) ?? false;
    if (at === operand || loaded) return meaning.flatMap(withoutOption);
    return meaning.filter((text) => /^--[\w-]+=/.test(text)).flatMap(withoutOption);
  });
}

const loadingOptions = /^(?:-[fIr]|--(?:file|import|include|init-file|loader|rcfile|require))$/;

/** Programs that do what a file says which they are given by name. */
function isInterpreter(name: string): boolean {
  const base = baseName(name);
  return (
    shells.has(base) ||
    /^(?:\.|source|exec|command|fish|pwsh|(?:python|pypy|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|Rscript|tclsh)[\d.]*|[gmn]?awk|sed|jq|make|gmake|osascript)$/.test(
      base,
    )
  );
}

/** What these name they write or remove, and neither read nor run: a log is no part of what was agreed to. */
const writers: ReadonlySet<string> = new Set(['mkdir', 'rm', 'rmdir', 'tee', 'touch']);

/** `--config=./x.js` and `if=./x` name a file behind the sign. */
function withoutOption(word: string): readonly string[] {
  const value = /^[^=/]*=(.+)$/s.exec(word)?.[1];
  return [...(word === '' || word.startsWith('-') ? [] : [word]), ...(value === undefined ? [] : [value])];
}

function programPaths(name: string, directories: readonly string[], place: NamingPlace): readonly string[] {
  if (name === '') return [];
  return name.includes('/') ? inDirectories(name, directories) : onPath(name, directories, place);
}

/** Down to the first that is there: whatever appears before it would run in its place. */
function onPath(name: string, directories: readonly string[], place: NamingPlace): readonly string[] {
  return directories.flatMap((directory) => {
    const candidates = place.path.split(':').map((entry) => resolve(directory, entry, name));
    const found = candidates.findIndex(place.present ?? isFile);
    return found === -1 ? candidates : candidates.slice(0, found + 1);
  });
}

/** The kernel follows a link before it goes up from it, a shell's `cd` does not: with `..` both are meant. */
function inDirectories(word: string, directories: readonly string[]): readonly string[] {
  return directories.flatMap((directory) => {
    const plain = resolve(directory, word);
    const literal = isAbsolute(word) ? word : `${directory}/${word}`;
    return /(?:^|\/)\.\.(?:\/|$)/.test(literal) ? [plain, literal] : [plain];
  });
}
