// What a shell's own builtins do to the line around them.
import { isPlainNumber } from './arithmetic.ts';
import { unknownPart } from './glob.ts';
import { maybeSeveral, maybeSplit } from './marks.ts';
import { readOptions } from './options.ts';
import { readsInput } from './read-shell.ts';

export interface BuiltinReading {
  /** Names of the variables it sets. */
  readonly assigned: readonly string[];
  readonly doubts: readonly string[];
}

/** Nothing for a command that is no builtin, or one that acts on its own words alone. */
export function readBuiltin(words: readonly string[]): BuiltinReading {
  const [name = '', ...rest] = words;
  const doubts: string[] = [];
  if (renaming.has(name)) doubts.push(`${name} may change what later names mean`);
  if (
    (name === '.' || name === 'source') &&
    rest.some((word) => word.includes(unknownPart) || readsInput(word))
  )
    doubts.push(`${name} reads commands from somewhere`);
  if (name === 'set' && optionsOf(rest).some((word) => /^[-+][^-]*[\0k]|^\0|^keyword$/.test(word)))
    doubts.push('set may make words assignments');
  if (evaluating.has(name) && words.some((word) => /\[.*(?:\$\(|`)/s.test(word)))
    doubts.push(`${name} runs what an index holds`);
  const variables = Object.hasOwn(readers, name) ? readers[name]?.(rest, name) : undefined;
  if (variables === undefined) return { assigned: [], doubts };
  const names = variables.names.map((word) => word.replace(/\+?=.*/s, ''));
  if (!variables.certain || !names.every(isPlainName))
    doubts.push(`${name} may evaluate what a variable holds`);
  return { assigned: variables.sets === false ? [] : names.filter((word) => /^\w+$/.test(word)), doubts };
}

/** With `set -k` an assignment counts wherever it stands. */
function optionsOf(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}

/** Said of an assignment to IFS, but not of the usual `IFS= read`. */
export const changesWords = 'it changes where words end';

/** Builtins after which a name may mean something else than it says. */
const renaming = new Set('alias bind compgen complete coproc enable fc hash mapfile readarray'.split(' '));

/** Builtins that read an argument as the name of a variable, whose index may hold a substitution even in quotes. */
const evaluating = new Set(
  '[ declare export getopts let local printf read readonly test typeset unset wait'.split(' '),
);

interface Variables {
  /** Words read as the name of a variable, perhaps with an index and a value. */
  readonly names: readonly string[];
  readonly sets?: false;
  /** False where there may be others, or where a value is evaluated as well. */
  readonly certain: boolean;
}

const readers: Readonly<Record<string, (words: readonly string[], name: string) => Variables>> = {
  declare: readDeclaration,
  typeset: readDeclaration,
  local: readDeclaration,
  readonly: readDeclaration,
  export: readDeclaration,
  read: (words) => {
    const { options, operands, certain } = readOptions(words, { flags: 'ers', values: 'adinNptu' });
    const arrays = options.flatMap(({ name, value }) => (name === 'a' && value !== undefined ? [value] : []));
    return { names: [...arrays, ...operands], certain };
  },
  unset: (words) => ({ names: operandsOf(words), sets: false, certain: true }),
  getopts: (words) => ({ names: words.slice(1, 2), certain: !words.slice(0, 2).some(maybeSeveral) }),
  printf: (words) => {
    const { options, certain } = readOptions(words.slice(0, 2), { values: 'v' });
    return { names: options.flatMap(({ value }) => value ?? []), certain };
  },
  wait: (words) => {
    const { options, certain } = readOptions(words, { flags: 'fn', values: 'p' });
    const names = options.flatMap(({ value }) => value ?? []);
    return { names, certain: certain && !words.some(maybeSplit) };
  },
  let: (words) => ({ names: [], certain: words.every(isPlainNumber) }),
  test: readTest,
  '[': readTest,
};

/** With `-i` values are evaluated, with `-n` they are names; a quoted `(…)` may be read again as a list. */
function readDeclaration(words: readonly string[], name: string): Variables {
  const evaluates = (word: string) =>
    word.startsWith('-') ? name !== 'export' && /[in]/.test(word) : /^[^=]*=\(/.test(word);
  return { names: operandsOf(words), certain: !words.some(evaluates) };
}

function operandsOf(words: readonly string[]): readonly string[] {
  return words.filter((word) => !/^[-+]/.test(word));
}

/** `test -v 'a[…]'` evaluates the index. A word that may be split could be the option with what follows. */
function readTest(words: readonly string[]): Variables {
  const names = words.filter((word, at) => at > 0 && asksForVariable(words[at - 1] ?? '', word));
  return { names, sets: false, certain: !words.some(maybeSplit) };
}

function asksForVariable(before: string, word: string): boolean {
  if (before === '-v' || before === '-R') return true;
  return before.startsWith(unknownPart) && (word.includes('[') || word.startsWith(unknownPart));
}

function isPlainName(text: string): boolean {
  const [, index] = /^[A-Za-z_]\w*(?:\[(.*)\])?$/s.exec(text) ?? [undefined, '_'];
  return index === undefined || /^[@*]$/.test(index) || isPlainNumber(index);
}
