// A hook's command as words, read once: what it starts, and what about it cannot be known before it runs.
import { isControlVariable } from '../config/allowed.ts';
import { unknownPart } from '../condition/glob.ts';
import { parseCommandLine } from '../condition/shell.ts';
import { speaksSh } from '../runners/shell.ts';
import { runsMore } from './runners.ts';

export interface CommandReading {
  /** Every program it starts with its words. A word may hold marks and unknown parts. */
  readonly commands: readonly (readonly string[])[];
  /** Files it reads by itself: `sh < file` runs one. */
  readonly inputs: readonly string[];
  /** Stand in words for variables that name a directory. */
  readonly marks: readonly VariableMark[];
  /** Why it runs more than its words name, in short phrases. */
  readonly unseen: readonly string[];
}

export interface VariableMark {
  readonly text: string;
  /** Name of the variable. */
  readonly variable: string;
  /** As it was written, with its dollar. */
  readonly written: string;
}

export interface CommandText {
  readonly command: string;
  /** Present where no shell reads the command. */
  readonly args?: readonly string[];
  readonly shell?: string;
}

/** `variables` are the names whose value is known beforehand, such as `CODEY_PROJECT_DIR`. Never rejects. */
export async function readCommand(
  { command, args, shell }: CommandText,
  variables: readonly string[],
): Promise<CommandReading> {
  const line = args === undefined ? command : [command, ...args].map(quote).join(' ');
  const { marked, marks } = markVariables(line, variables);
  const parsed = await parseCommandLine(marked);
  const commands = parsed.commands.map(({ words }) => words);
  const known = new Set(variables);
  const unseen = [
    ...(speaksSh(shell) ? [] : [`lines for ${shell} are not read here`]),
    ...parsed.doubts,
    ...(commands.flat().some((word) => word.includes(unknownPart))
      ? ['a word is known only when it runs']
      : []),
    ...parsed.assigned
      .filter((name) => known.has(name) || isControlVariable(name))
      .map((name) => `it sets ${name}`),
    ...commands.map(runsMore),
  ].filter((reason) => reason !== undefined);
  return {
    commands: shell === undefined ? commands : [[shell], ...commands],
    inputs: parsed.redirects.filter(({ direction }) => direction === 'in').map(({ target }) => target),
    marks,
    unseen: [...new Set(unseen)],
  };
}

/** One word for a shell, whatever is in it. */
function quote(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * The grammar knows no values, so variables that name a directory are replaced before it reads the line, by letters that
 * mean the same inside quotes, outside and in a line within the line.
 */
function markVariables(
  line: string,
  variables: readonly string[],
): { readonly marked: string; readonly marks: readonly VariableMark[] } {
  const marks: VariableMark[] = [];
  const marked = line.replace(/\$(?:(\w+)|\{(\w+)\})/g, (written, plain?: string, braced?: string) => {
    const variable = plain ?? braced ?? '';
    if (!variables.includes(variable)) return written;
    const known = marks.find((mark) => mark.written === written);
    if (known !== undefined) return known.text;
    const mark = { text: `codey_directory_${marks.length}_`, variable, written };
    marks.push(mark);
    return mark.text;
  });
  return { marked, marks };
}
