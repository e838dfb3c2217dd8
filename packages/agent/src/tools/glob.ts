// File name patterns that match in linear time, whatever somebody writes into them.
import { RE2JS } from 're2js';

export type PathTest = (path: string) => boolean;

/**
 * `*` and `?` stay within one name, `**` as a whole name crosses directories, `[abc]`, `[!abc]` and `{a,b}` choose, `\`
 * takes the next character as it is. Names with a leading dot are nothing special. Tests paths with `/`, as a whole.
 * Throws where the pattern does not compile.
 */
export function compileGlob(
  glob: string,
  options: { readonly braces: boolean } = { braces: true },
): PathTest {
  if (glob.length > longestGlob) throw new Error(`it is longer than ${longestGlob} characters`);
  if (!/[*?[\]{}\\]/.test(glob)) return (path) => path === glob;
  const pattern = RE2JS.compile(`^(?:${translate(glob, options.braces)})$`, RE2JS.DOTALL);
  return (path) => pattern.test(path);
}

/** As `compileGlob`; a glob without `/` is tested on the last name only, so `*.ts` finds files at any depth. */
export function compileFileGlob(glob: string): PathTest {
  const test = compileGlob(glob);
  return glob.includes('/') ? test : (path) => test(path.slice(path.lastIndexOf('/') + 1));
}

/** Longer than any pattern with a purpose; bounds what compiling costs. */
const longestGlob = 1_000;

function translate(glob: string, braces: boolean): string {
  const closing = braces ? alternatives(glob) : new Map<number, number>();
  const ends: number[] = [];
  let out = '';
  for (let at = 0; at < glob.length; ) {
    const char = glob[at] ?? '';
    const stars = /^\*+/.exec(glob.slice(at))?.[0].length ?? 0;
    const close = closing.get(at);
    if (stars > 0) {
      const after = at + stars;
      const whole = stars > 1 && startsName(glob, at) && endsName(glob, after);
      const throughSlash = whole && glob[after] === '/';
      out += throughSlash ? '(?:[^/]+/)*' : whole ? '.+' : '[^/]*';
      at = throughSlash ? after + 1 : after;
      continue;
    }
    if (char === '[') {
      const set = readSet(glob, at);
      out += set?.pattern ?? '\\[';
      at = set?.end ?? at + 1;
      continue;
    }
    if (char === '\\') {
      out += RE2JS.quote(glob[at + 1] ?? '\\');
      at += 2;
      continue;
    }
    if (close !== undefined) {
      ends.push(close);
      out += '(?:';
    } else if (at === ends.at(-1)) {
      ends.pop();
      out += ')';
    } else if (char === ',' && ends.length > 0) out += '|';
    else out += char === '?' ? '[^/]' : RE2JS.quote(char);
    at += 1;
  }
  return out;
}

/** A name starts at the pattern's start, behind a slash and where an alternative begins. */
function startsName(glob: string, at: number): boolean {
  return at === 0 || '/{,'.includes(glob[at - 1] ?? '');
}

function endsName(glob: string, at: number): boolean {
  return at === glob.length || '/},'.includes(glob[at] ?? '');
}

/** From the position of each `{` that opens alternatives to that of its `}`; other braces stand for themselves. */
function alternatives(glob: string): Map<number, number> {
  const found = new Map<number, number>();
  const open: { at: number; comma: boolean }[] = [];
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at];
    const innermost = open.at(-1);
    if (char === '\\') at += 1;
    else if (char === '{') open.push({ at, comma: false });
    else if (char === ',' && innermost !== undefined) innermost.comma = true;
    else if (char === '}' && innermost !== undefined) {
      open.pop();
      if (innermost.comma) found.set(innermost.at, at);
    }
  }
  return found;
}

/** `[…]` as a regular expression that never matches `/`; null where the bracket is not closed. */
function readSet(glob: string, start: number): { pattern: string; end: number } | null {
  const [whole, negation, members] = /^\[([!^]?)(\]?(?:\\.|[^\]\\])*)\]/s.exec(glob.slice(start)) ?? [];
  if (whole === undefined || members === undefined || members === '') return null;
  const ranges = readRanges(members);
  const inside = ranges.map(([from, to]) => `${hex(from)}-${hex(to)}`).join('');
  // A set of nothing but slashes is left with no member and matches nothing.
  const pattern = negation !== '' ? `[^/${inside}]` : inside === '' ? '[^\\x00-\\x{10FFFF}]' : `[${inside}]`;
  return { pattern, end: start + whole.length };
}

/** The members as code points from and to, without the slash. */
function readRanges(members: string): readonly (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [];
  for (const [, first = '', last] of members.matchAll(/(\\.|.)(?:-(\\.|.))?/gsu)) {
    const from = codePoint(first);
    const to = last === undefined ? from : codePoint(last);
    if (from > to) throw new Error(`the range ${first}-${last} is empty`);
    if (from <= slash && slash <= to) ranges.push([from, slash - 1], [slash + 1, to]);
    else ranges.push([from, to]);
  }
  return ranges.filter(([from, to]) => from <= to);
}

const slash = 0x2f;

function codePoint(member: string): number {
  return (member.length > 1 && member.startsWith('\\') ? member.slice(1) : member).codePointAt(0) ?? 0;
}

function hex(point: number): string {
  return `\\x{${point.toString(16)}}`;
}
