// Reads a command line as a shell would: every simple command in it, however deep, as plain words.
import type { Node } from 'web-tree-sitter';
import { changesWords, readBuiltin } from './builtins.ts';
import { doubtsAboutGit } from './git-commands.ts';
import { unknownPart } from './glob.ts';
import { type LoadGrammar, loadGrammar } from './grammar-files.ts';
import { plainMarks } from './marks.ts';
import { type ReadTree, shellParser } from './shell-grammar.ts';
import { readTree } from './shell-tree.ts';
import { readBareWord } from './shell-words.ts';
import { otherSpellings } from './spellings.ts';
import { unwrap } from './wrappers.ts';
import { runsWhatItWrites } from './written-scripts.ts';

/** One program, builtin or function the line starts. */
export interface SimpleCommand {
  /** Its words without quotes; what is known only at run time is an `unknownPart`. */
  readonly words: readonly string[];
  /** Other spellings of it, such as `git push` for `git -C dir push`. They may stop it but never allow it. */
  readonly also: readonly (readonly string[])[];
  /**
   * It only starts the commands listed behind it, as `timeout 5` and `sh -c` do, and is no program given by its path;
   * whoever allows those allows it.
   */
  readonly transparent: boolean;
}

/** A file the line opens. `2>&1` opens none. */
export interface Redirect {
  readonly direction: 'in' | 'out';
  readonly target: string;
}

/** Everything a command line starts, opens and sets, and what of it is not certain. */
export interface ParsedLine {
  /** In the order of the line; what a wrapper starts follows the wrapper. */
  readonly commands: readonly SimpleCommand[];
  readonly redirects: readonly Redirect[];
  /** Names of the variables it sets, for one command or for what follows. */
  readonly assigned: readonly string[];
  /** False where it may start more than `commands` holds. */
  readonly complete: boolean;
  /** Why it is not complete, in short phrases. */
  readonly doubts: readonly string[];
}

/** What reading adds to while it goes down a line. */
export interface Findings {
  readonly commands: SimpleCommand[];
  readonly redirects: Redirect[];
  readonly assigned: Set<string>;
  readonly doubts: Set<string>;
}

/**
 * Every simple command of a line: through lists, pipes, groups, substitutions, heredocs and compound commands, and
 * through the commands that start others. Plain lines are answered at once; the others wait for the grammar, which is
 * loaded at the first of them. Never throws and never rejects: what cannot be read is a doubt.
 */
export function parseCommandLine(
  line: string,
  load: LoadGrammar = loadGrammar,
): ParsedLine | Promise<ParsedLine> {
  if (line.length > lengthLimit) return unreadable('it is too long to be read');
  const plain = plainWords(line);
  if (plain === undefined) return parseWithGrammar(line, load);
  const findings = noFindings();
  const lines = addCommand(plain, findings, 0);
  return lines.length === 0 ? finish(findings) : parseWithGrammar(line, load);
}

const lengthLimit = 100_000;
const depthLimit = 8;
const commandLimit = 2_000;

/** The words of a line that holds nothing a shell would read in a special way. */
function plainWords(line: string): readonly string[] | undefined {
  if (/[|&;<>()$`\\"'#!]/.test(line) || hidesSomething(line)) return undefined;
  const words = line.split(/[ \t]+/).filter((word) => word !== '');
  const first = words[0];
  if (first !== undefined && (first.includes('=') || /[{}[\]]/.test(first) || reserved.has(first)))
    return undefined;
  return words.map(readBareWord);
}

/** Control and invisible characters but the tab. Asked of the rare line only: the tables behind it take a while to build. */
function hidesSomething(line: string): boolean {
  return !/^[\t\x20-\x7e]*$/.test(line) && /[^\P{C}\t]/u.test(line);
}

/** Words that begin or end a compound command where a command's name is expected. */
const reserved = new Set(
  'if then elif else fi for while until do done case esac select function in coproc { } [[ ]] !'.split(' '),
);

async function parseWithGrammar(line: string, load: LoadGrammar): Promise<ParsedLine> {
  let parse: ReadTree;
  try {
    parse = await shellParser(load);
  } catch (error) {
    return unreadable(
      `the shell grammar could not be loaded: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const findings = noFindings();
  readLine(line, parse, findings, 0);
  return finish(findings);
}

/** Reads a line, then the lines that its commands hand to a shell, into the same findings. */
function readLine(line: string, parse: ReadTree, findings: Findings, depth: number): void {
  if (depth > depthLimit) {
    findings.doubts.add('it is nested too deep to be read');
    return;
  }
  if (line.includes(unknownPart)) findings.doubts.add('part of a command line is known only when it runs');
  // A shell never sees the mark; in its place the grammar reads a variable, which is as unknown.
  const source = plainMarks(line).replaceAll(unknownPart, `$${'{_}'}`);
  const inner: string[] = [];
  const nested = (text: string) => inner.push(text);
  const command = (words: readonly string[]) => inner.push(...addCommand(words, findings, depth));
  if (parseTree(source, parse, (root) => readTree(root, { findings, command, nested })) === null) {
    findings.doubts.add('it is too intricate to be read');
  }
  for (const text of inner) readLine(text, parse, findings, depth + 1);
}

function parseTree(source: string, parse: ReadTree, use: (root: Node) => void): true | null {
  try {
    return parse(source, (root) => {
      use(root);
      return true as const;
    });
  } catch {
    return null;
  }
}

/** Lists a command and what it starts; returns the command lines it hands to a shell. */
function addCommand(words: readonly string[], findings: Findings, depth: number): readonly string[] {
  const name = words[0];
  if (name === undefined) return [];
  if (depth > depthLimit || findings.commands.length >= commandLimit) {
    findings.doubts.add('it starts more commands than are read');
    return [];
  }
  const inner = unwrap(words);
  const builtin = readBuiltin(words);
  findings.commands.push({
    words: words.map(plainMarks),
    also: otherSpellings(words).map((spelling) => spelling.map(plainMarks)),
    transparent: inner?.transparent ?? false,
  });
  const doubts = [
    ...doubtsAbout(name),
    ...builtin.doubts,
    ...doubtsAboutGit(words),
    ...(inner?.doubts ?? []),
  ];
  for (const doubt of doubts) findings.doubts.add(doubt);
  if (builtin.assigned.includes('IFS')) findings.doubts.add(changesWords);
  for (const variable of [...builtin.assigned, ...(inner?.assigned ?? [])])
    findings.assigned.add(plainMarks(variable));
  const lines = (inner?.commands ?? []).flatMap((command) => addCommand(command, findings, depth + 1));
  return [...(inner?.lines ?? []), ...lines];
}

function doubtsAbout(name: string): readonly string[] {
  const doubts: string[] = [];
  if (name.includes(unknownPart)) doubts.push("a command's name is known only when it runs");
  if (reserved.has(name)) doubts.push(`"${name}" stands where a command was expected`);
  return doubts;
}

/**
 * Variables whose value a shell runs, expands, computes or takes settings from, and those git does. Others change what a
 * program does: they void an allow, and are known all the same.
 */
const evaluated =
  /^(?:PS[0-4]|PROMPT_COMMAND|BASH_(?:ENV|ALIASES|CMDS|COMPAT|FUNC_.*)|ENV|SHELLOPTS|BASHOPTS|POSIXLY_CORRECT|GIT_CONFIG.*|GIT_EXEC_PATH|S?RANDOM|SECONDS|LINENO|HISTCMD|OPTIND|BASHPID|EPOCHSECONDS)$/;

function noFindings(): Findings {
  return { commands: [], redirects: [], assigned: new Set(), doubts: new Set() };
}

function finish(findings: Findings): ParsedLine {
  for (const name of findings.assigned)
    if (evaluated.test(name)) findings.doubts.add(`setting ${name} may run something`);
  if (runsWhatItWrites(findings.commands, findings.redirects))
    findings.doubts.add('it runs a file that it writes itself');
  return {
    commands: findings.commands,
    redirects: findings.redirects,
    assigned: [...findings.assigned],
    complete: findings.doubts.size === 0,
    doubts: [...findings.doubts],
  };
}

function unreadable(doubt: string): ParsedLine {
  return { commands: [], redirects: [], assigned: [], complete: false, doubts: [doubt] };
}
