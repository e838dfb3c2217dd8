// Reads a command line that starts one program, and gives up on anything it would have to guess at.

export interface SimpleCommand {
  /** Where a leading `cd … &&` leads. */
  readonly directory?: string;
  /** The words as the program gets them; null for one that is only known at run time. */
  readonly words: readonly (string | null)[];
}

/**
 * Null for everything but `[cd DIR &&] program words…` with output redirections: a launch check must never be wrong
 * about what runs. Deciding *whether* a hook runs is another question, with a full grammar of its own in `condition/`.
 */
export function readSimpleCommand(
  line: string,
  environment: Readonly<Record<string, string>>,
): SimpleCommand | null {
  if (/[$~]/.test(line)) return read(line, environment);
  const known = plain.get(line);
  if (known !== undefined) return known;
  const command = read(line, environment);
  if (plain.size === mostPlain) plain.clear();
  plain.set(line, command);
  return command;
}

/** Lines that say the same in every environment: each hook is looked at three times whenever it runs. */
const plain = new Map<string, SimpleCommand | null>();
const mostPlain = 1_000;

function read(line: string, environment: Readonly<Record<string, string>>): SimpleCommand | null {
  const tokens = tokenize(line.trim(), environment);
  if (tokens === null) return null;
  const split = tokens.findIndex((token) => token.kind === 'then');
  const last = tokens.slice(split + 1);
  if (last.length === 0 || last.some((token) => token.kind === 'then')) return null;
  const words = last.map(textOf);
  if (split === -1) return { words };
  const [cd, directory, ...rest] = tokens.slice(0, split).map(textOf);
  if (cd !== 'cd' || typeof directory !== 'string' || directory === '-' || rest.length > 0) return null;
  return { directory, words };
}

type Token = { readonly kind: 'word'; readonly text: string | null } | { readonly kind: 'then' };

function textOf(token: Token): string | null {
  return token.kind === 'word' ? token.text : null;
}

/** A piece of a word, an operator or blanks; the order of the alternatives decides. */
const piece =
  /(?<blank>[ \t]+)|(?<then>&&|;)|(?<redirect>(?:\d|&)?>>?(?:&\d|[ \t]*[\w./-]+))|'(?<single>[^']*)'|"(?<double>(?:[^"\\`$]|\\.|\$\w+|\$\{\w+\})*)"|\\(?<escaped>[^\n])|\$\{?(?<variable>[A-Za-z_]\w*)\}?|(?<home>~(?=\/))|(?<pattern>[*?[\]{}])|(?<plain>[\w./:=,@%+^-]+)/y;

function tokenize(line: string, environment: Readonly<Record<string, string>>): readonly Token[] | null {
  const tokens: Token[] = [];
  let word: string | null | undefined;
  const endWord = () => {
    if (word !== undefined) tokens.push({ kind: 'word', text: word });
    word = undefined;
  };
  const extend = (text: string | null) => {
    word = text === null || word === null ? null : (word ?? '') + text;
  };

  for (piece.lastIndex = 0; piece.lastIndex < line.length; ) {
    const at = piece.lastIndex;
    const groups = piece.exec(line)?.groups;
    if (groups === undefined) return null;
    const { blank, then, redirect, single, double, escaped, variable, home, pattern, plain } = groups;
    if (blank !== undefined) endWord();
    else if (then !== undefined) {
      endWord();
      tokens.push({ kind: 'then' });
    } else if (redirect !== undefined) {
      // `x2>file` is the word `x2` and a redirection of 1; not worth telling apart.
      if (word !== undefined) return null;
    } else if (home !== undefined) {
      if (word !== undefined) return null;
      extend(environment.HOME ?? null);
    } else if (variable !== undefined) {
      if (line[at + 1] === '{' && line[piece.lastIndex - 1] !== '}') return null;
      extend(splittable(environment[variable] ?? ''));
    } else if (pattern !== undefined) extend(null);
    else extend(single ?? (double === undefined ? (escaped ?? plain ?? '') : unquote(double, environment)));
  }
  endWord();
  return tokens;
}

function unquote(text: string, environment: Readonly<Record<string, string>>): string {
  return text.replace(/\\([$`"\\])|\$\{?(\w+)\}?/g, (_, escaped: string | undefined, name: string) =>
    escaped === undefined ? (environment[name] ?? '') : escaped,
  );
}

/** Outside quotes a value is split at blanks and read as a pattern, and an empty one is no word at all. */
function splittable(value: string): string | null {
  return /^[^\s*?[\]]+$/.test(value) ? value : null;
}
