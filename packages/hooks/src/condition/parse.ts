// `tool` or `tool(glob)`: the one notation for `if` conditions and permission rules.

/** A parsed rule. */
export interface Rule {
  /** As written. */
  readonly text: string;
  /** Tool names, each may hold `*`. */
  readonly tools: readonly string[];
  /** The glob over the call's argument; absent where the rule names tools only. */
  readonly glob?: string;
}

export type ParsedRule =
  | { readonly ok: true; readonly rule: Rule }
  | { readonly ok: false; readonly message: string; readonly hint?: string };

/**
 * Reads one rule. The tool part may list several tools with `|` and hold `*`; the glob is everything between the first
 * opening bracket and the closing one at the end, so it may hold brackets itself.
 */
export function parseRule(text: string): ParsedRule {
  const written = text.trim();
  if (written === '')
    return { ok: false, message: 'a rule needs a tool, such as run_shell or run_shell(git push*)' };
  if (text.includes('\0')) return { ok: false, message: 'a rule cannot hold a NUL character' };
  const open = written.indexOf('(');
  const names = (open === -1 ? written : written.slice(0, open)).split('|').map((name) => name.trim());
  const problem = checkNames(names, written);
  if (problem !== undefined) return problem;
  if (open === -1) return { ok: true, rule: { text, tools: names } };
  return parseGlob(text, names, written.slice(open + 1));
}

function checkNames(names: readonly string[], written: string): ParsedRule | undefined {
  if (names.every((name) => name === '')) {
    return {
      ok: false,
      message: `rule "${written}" names no tool`,
      hint: `write the tool before the bracket, or * for every tool`,
    };
  }
  for (const name of names) {
    if (name === '') return { ok: false, message: `rule "${written}" has an empty name beside a |` };
    if (name.includes(')'))
      return { ok: false, message: `rule "${written}" closes a bracket it never opened` };
    const odd = /[^\w*.:/@-]/.exec(name);
    if (odd !== null) {
      return {
        ok: false,
        message: `rule "${written}" has ${JSON.stringify(odd[0])} in the tool name "${name}"`,
        hint: hintFor(name),
      };
    }
  }
  return undefined;
}

function hintFor(name: string): string {
  const [first, ...rest] = name.split(/\s+/);
  return rest.length > 0 && first !== undefined && /^\w+$/.test(first)
    ? `did you mean ${first}(${rest.join(' ')})?`
    : 'a tool name has letters, digits, _ - . : / @ and *; several are joined with |';
}

function parseGlob(text: string, tools: readonly string[], rest: string): ParsedRule {
  const written = text.trim();
  const close = rest.lastIndexOf(')');
  if (close === -1)
    return {
      ok: false,
      message: `rule "${written}" does not close its bracket`,
      hint: `did you mean ${written})?`,
    };
  const after = rest.slice(close + 1);
  if (after !== '') {
    return {
      ok: false,
      message: `rule "${written}" goes on after its closing bracket with "${after}"`,
      hint: 'the glob is the last part',
    };
  }
  const glob = rest.slice(0, close);
  const tool = tools.join('|');
  if (glob === '')
    return {
      ok: false,
      message: `rule "${written}" has an empty glob`,
      hint: `${tool} alone covers every call`,
    };
  if (isPrefixSpelling(tools, glob)) {
    const prefix = glob.slice(0, -2);
    return {
      ok: false,
      message: `rule "${written}" spells a prefix as :*, which here stands for a colon with anything behind it`,
      hint: `name the tool as this agent does and write the prefix as (${prefix}*)`,
    };
  }
  return { ok: true, rule: { text, tools, glob } };
}

/** `Name(words:*)` is how some agents write a prefix. With a name as ours are, `:*` is taken as it stands. */
function isPrefixSpelling(tools: readonly string[], glob: string): boolean {
  return glob.endsWith(':*') && tools.every((tool) => /^[A-Z][A-Za-z]*$/.test(tool));
}
