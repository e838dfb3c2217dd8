// Tells whether what a command was to start is there at all: an interpreter that finds no script must not be taken for
// a hook that answered.
import { existsSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { findProgram } from './find-program.ts';
import { speaksSh } from './shell.ts';
import { readSimpleCommand } from './simple-command.ts';

export interface CommandPlace {
  readonly command: string;
  /** Present where the command is a program started without a shell. */
  readonly args?: readonly string[];
  readonly shell?: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * What is missing, as a sentence; undefined where everything is there or nothing certain can be said. Python and dash
 * end with 2 for a missing script, which is also the code for a block.
 */
export function missingProgram(place: CommandPlace): string | undefined {
  const { environment } = place;
  const read = readCommand(place);
  if (read === null) return undefined;
  const cwd = read.directory === undefined ? place.cwd : resolve(place.cwd, read.directory);
  if (!isDirectory(cwd)) return `it changes to ${cwd}, which is no directory; correct the path`;

  const [program, ...rest] = withoutPrefixes(read.words);
  if (typeof program !== 'string' || program === '') return undefined;
  if (program.includes('/') && !existsSync(resolve(cwd, program))) return absent(resolve(cwd, program));

  const script = scriptOf(program, rest);
  if (script === null) return undefined;
  const onPath = script.searched && findProgram(script.name, { cwd, path: environment.PATH ?? '' }) !== null;
  const candidates = script.suffixes.map((suffix) => resolve(cwd, script.name + suffix));
  return onPath || candidates.some((candidate) => existsSync(candidate))
    ? undefined
    : `${absent(resolve(cwd, script.name))}, which ${basename(program)} was to run`;
}

function absent(path: string): string {
  return `there is no ${path}`;
}

function readCommand(place: CommandPlace): {
  readonly directory?: string;
  readonly words: readonly (string | null)[];
} | null {
  if (place.args !== undefined) return { words: [place.command, ...place.args] };
  return speaksSh(place.shell) ? readSimpleCommand(place.command, place.environment) : null;
}

/** Past assignments and the wrappers that start what follows them. */
function withoutPrefixes(words: readonly (string | null)[]): readonly (string | null)[] {
  const [first, second, ...rest] = words;
  if (typeof first !== 'string') return [];
  if (/^[A-Za-z_]\w*=/.test(first)) return withoutPrefixes(words.slice(1));
  switch (basename(first)) {
    case 'command':
    case 'env':
    case 'exec':
    case 'nohup':
      return second?.startsWith('-') ? [] : withoutPrefixes(words.slice(1));
    case 'timeout':
      return second?.startsWith('-') ? [] : withoutPrefixes(rest);
    default:
      return words;
  }
}

interface Script {
  readonly name: string;
  /** Also looked for on PATH. */
  readonly searched: boolean;
  readonly suffixes: readonly string[];
}

interface Interpreter {
  readonly name: RegExp;
  /** Switches that may stand before the script and take no value. Behind any other one nothing is certain. */
  readonly switches: RegExp;
  readonly searched?: boolean;
  readonly suffixes?: readonly string[];
}

const interpreters: readonly Interpreter[] = [
  { name: /^(python|pypy)[\d.]*$/, switches: /^-[bBdEiIOPqsSuvx]+$/ },
  {
    name: /^(ba|da|z|k|mk|a|)sh$/,
    switches: /^(-[abefhklmnuvxBCEHP]+|--(login|noprofile|norc|posix|verbose))$/,
    searched: true,
  },
  { name: /^(\.|source)$/, switches: /^--$/, searched: true },
  {
    name: /^(node|nodejs|tsx|ts-node)$/,
    switches: /^--(no-warnings|enable-source-maps|experimental-strip-types|[\w-]+=.*)$/,
    suffixes: ['', '.js', '.cjs', '.mjs', '.json', '.node'],
  },
  { name: /^ruby[\d.]*$/, switches: /^-[wW]$/ },
  { name: /^perl[\d.]*$/, switches: /^-[wWtTX]+$/ },
  { name: /^(php|lua|Rscript)[\d.]*$/, switches: /^--$/ },
];

function scriptOf(program: string, words: readonly (string | null)[]): Script | null {
  const name = basename(program);
  const interpreter = interpreters.find((candidate) => candidate.name.test(name));
  if (interpreter === undefined) return null;
  const index = words.findIndex((word) => word === null || !interpreter.switches.test(word));
  const script = words[index] === '--' ? words[index + 1] : words[index];
  if (typeof script !== 'string' || script === '' || script.startsWith('-')) return null;
  return {
    name: script,
    searched: interpreter.searched === true && !script.includes('/'),
    suffixes: interpreter.suffixes ?? [''],
  };
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
