// Globs over a whole text: `*` any characters, `?` one, `[…]` one of a set, a backslash takes the next one as it is.
// No character is special: `*` crosses `/` and line ends, since the text may be a command line.

/**
 * Stands in a text for a part that nobody knows before the shell runs. A word of a command can never hold a NUL, so the
 * mark cannot be forged.
 */
export const unknownPart = '\0';

type Token =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'one' }
  | {
      readonly kind: 'set';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [number, number])[];
    }
  | { readonly kind: 'any' };

export interface Glob {
  readonly text: string;
  /** Nothing but stars: there is nothing that could be unknown about it. */
  readonly matchesAll: boolean;
  /** Whether the text matches; with unknown parts: whether it does whatever they turn out to be. */
  matches(text: string): boolean;
  /** Whether there is any value of the unknown parts with which the text matches. */
  couldMatch(text: string): boolean;
}

/** Every text is a glob: an unclosed `[` and a trailing backslash stand for themselves. */
export function compileGlob(text: string): Glob {
  const tokens = tokenize(text);
  return {
    text,
    matchesAll: tokens.length > 0 && tokens.every((token) => token.kind === 'any'),
    matches: (value) => matches(tokens, value.replace(vanishingWord, unknownPart)),
    couldMatch: (value) => (value.includes(unknownPart) ? couldMatch(tokens, value) : matches(tokens, value)),
  };
}

/** A word that is unknown as a whole, with the space before it: it may come to no word at all, or to several. */
const vanishingWord = / \0(?= |$)/g;

/** Takes every character of a text as it is. */
export function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&');
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const set = text[at] === '[' ? readSet(text, at) : undefined;
    if (set !== undefined) {
      tokens.push(set.token);
      at = set.end;
    } else if (text[at] === '*') {
      if (tokens.at(-1)?.kind !== 'any') tokens.push({ kind: 'any' });
      at++;
    } else if (text[at] === '?') {
      tokens.push({ kind: 'one' });
      at++;
    } else {
      if (text[at] === '\\' && at + 1 < text.length) at++;
      const code = text.codePointAt(at) ?? 0;
      tokens.push({ kind: 'char', code });
      at += widthOf(code);
    }
  }
  return tokens;
}

/** `[abc]`, `[a-z]`, `[!x]`, `[^x]`; a `]` that comes first belongs to the set. */
function readSet(text: string, start: number): { readonly token: Token; readonly end: number } | undefined {
  let at = start + 1;
  const negated = text[at] === '!' || text[at] === '^';
  if (negated) at++;
  const ranges: [number, number][] = [];
  for (let first = true; at < text.length; first = false) {
    if (text[at] === ']' && !first) return { token: { kind: 'set', negated, ranges }, end: at + 1 };
    const low = readMember(text, at);
    at = low.end;
    if (text[at] === '-' && at + 1 < text.length && text[at + 1] !== ']') {
      const high = readMember(text, at + 1);
      at = high.end;
      ranges.push([low.code, high.code]);
    } else ranges.push([low.code, low.code]);
  }
  return undefined;
}

function readMember(text: string, at: number): { readonly code: number; readonly end: number } {
  const start = text[at] === '\\' && at + 1 < text.length ? at + 1 : at;
  const code = text.codePointAt(start) ?? 0;
  return { code, end: start + widthOf(code) };
}

/**
 * Walks both at once and, where they part, goes back to the last star only: an earlier star could not do better. So a
 * glob full of stars costs no more than its length times the text's.
 */
function matches(tokens: readonly Token[], text: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let starEnd = 0;
  while (at < text.length) {
    const token = tokens[next];
    const code = text.codePointAt(at) ?? 0;
    if (token?.kind === 'any') {
      star = next++;
      starEnd = at;
    } else if (token !== undefined && takes(token, code)) {
      next++;
      at += widthOf(code);
    } else if (star !== -1) {
      next = star + 1;
      starEnd += widthOf(text.codePointAt(starEnd) ?? 0);
      at = starEnd;
    } else return false;
  }
  while (tokens[next]?.kind === 'any') next++;
  return next === tokens.length;
}

/** Only a star takes an unknown part, since only a star takes whatever it turns out to be. */
function takes(token: Token, code: number): boolean {
  if (code === 0) return false;
  switch (token.kind) {
    case 'char':
      return token.code === code;
    case 'one':
      return true;
    case 'set':
      return token.negated !== token.ranges.some(([low, high]) => low <= code && code <= high);
    case 'any':
      return false;
  }
}

/** Follows every position of the glob that some value of the unknown parts could have led to. */
function couldMatch(tokens: readonly Token[], text: string): boolean {
  let reached = new Uint8Array(tokens.length + 1);
  reached[0] = 1;
  passStars(tokens, reached);
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    if (mayVanish(text, at)) {
      reached = join(reached, allFrom(step(tokens, reached, code)));
      at += 2;
      continue;
    }
    reached = code === 0 ? allFrom(reached) : step(tokens, reached, code);
    at += widthOf(code);
  }
  return reached[tokens.length] === 1;
}

function step(
  tokens: readonly Token[],
  reached: Uint8Array<ArrayBuffer>,
  code: number,
): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(reached.length);
  tokens.forEach((token, index) => {
    if (reached[index] !== 1) return;
    if (token.kind === 'any') next[index] = 1;
    else if (takes(token, code)) next[index + 1] = 1;
  });
  passStars(tokens, next);
  return next;
}

/** A star may also take nothing. */
function passStars(tokens: readonly Token[], reached: Uint8Array): void {
  tokens.forEach((token, index) => {
    if (token.kind === 'any' && reached[index] === 1) reached[index + 1] = 1;
  });
}

/** An unknown part can be whatever leads from the first reached position to any later one. */
function allFrom(reached: Uint8Array): Uint8Array<ArrayBuffer> {
  const first = reached.indexOf(1);
  return Uint8Array.from(reached, (_, index) => (first !== -1 && index >= first ? 1 : 0));
}

function join(one: Uint8Array<ArrayBuffer>, other: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return one.map((value, index) => value | (other[index] ?? 0));
}

function mayVanish(text: string, at: number): boolean {
  return text[at] === ' ' && text[at + 1] === unknownPart && (at + 2 === text.length || text[at + 2] === ' ');
}

function widthOf(code: number): number {
  return code > 0xffff ? 2 : 1;
}
