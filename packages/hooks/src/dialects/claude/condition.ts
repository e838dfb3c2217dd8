// An `if` rule of that format in our notation. What cannot be said exactly is said more widely: then the hook runs.
import { escapeGlob } from '../../condition/glob.ts';
import type { Rule } from '../../condition/parse.ts';
import { ownToolNames } from './names.ts';

export type TranslatedRule =
  | { readonly ok: true; readonly rule: Rule }
  /** It says nothing that could be translated, so the rule fits every call. */
  | { readonly ok: false; readonly rule: Rule; readonly message: string };

/** @param home Stands for `~` in path rules; absent where there is no home directory. */
export function translateRule(text: string, home?: string): TranslatedRule {
  const parsed = /^\s*([\w-]+(?:\*[\w-]*)*)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text);
  const [, name, argument] = parsed ?? [];
  if (name === undefined) {
    const message = `"if" is no rule such as Bash(git push *): ${JSON.stringify(text)}; the hook runs for every call`;
    return { ok: false, rule: { text, tools: ['*'] }, message };
  }
  const glob = argument === undefined ? undefined : globFor(name, argument.trim(), home);
  return { ok: true, rule: { text, tools: toolsFor(name), ...(glob !== undefined && { glob }) } };
}

/** A rule about edits covers all tools that write files, one about reading all that look into them. */
function toolsFor(name: string): readonly string[] {
  if (name === 'Edit') return ['edit_file', 'write_file'];
  if (name === 'Read') return ['read_file', 'grep_search', 'glob_search', 'list_directory'];
  if (name.startsWith('mcp__')) {
    const wholeServer = name.split('__').length === 2 && !name.includes('*');
    return wholeServer ? [name, `${name}__*`] : [name];
  }
  return ownToolNames(name);
}

/** Undefined where the argument says nothing we could test: the rule then fits every call of the tool. */
function globFor(name: string, argument: string, home: string | undefined): string | undefined {
  if (argument === '' || argument === '*' || argument === '**') return undefined;
  switch (name) {
    case 'Bash':
      return commandGlob(argument);
    case 'WebFetch':
      return addressGlob(argument);
    case 'Edit':
    case 'Write':
    case 'Read':
    case 'LS':
    case 'Glob':
    case 'Grep':
      return pathGlob(argument, home);
    default:
      return undefined;
  }
}

/** `git push:*` and `git push *` mean the words alone or with more behind them. Only `*` is special there. */
function commandGlob(argument: string): string {
  const prefix = /^([\s\S]*?)(?::\*| \*)$/.exec(argument)?.[1];
  return prefix === undefined ? starsOnly(argument) : `${starsOnly(prefix)}*`;
}

function starsOnly(text: string): string {
  return text.split('*').map(escapeGlob).join('*');
}

/**
 * Their paths are patterns as in `.gitignore`: `//` begins an absolute one, `~/` one in the home directory, a name
 * without a slash fits at any depth. Our star crosses directories, so the translation fits at least as much.
 */
function pathGlob(argument: string, home: string | undefined): string | undefined {
  const wide = argument.replaceAll(/\*+/g, '*').replaceAll('*/', '*');
  if (wide.startsWith('//')) return wide.slice(1);
  if (wide.startsWith('~/')) return home === undefined ? undefined : `${escapeGlob(home)}${wide.slice(1)}`;
  if (wide.startsWith('../')) return undefined;
  const inner = wide.replace(/^\.?\//, '').replace(/\/$/, '/*');
  const anchored = /^\.?\/|\/./.test(argument);
  return anchored ? inner : `*${inner}`;
}

/** A host is the same in any case, and may stand behind a name and a password. */
function addressGlob(argument: string): string | undefined {
  const host = /^domain:(\S+)$/.exec(argument)?.[1];
  if (host === undefined) return undefined;
  const anyCase = starsOnly(host).replaceAll(
    /[a-z]/gi,
    (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
  );
  return `*//*${anyCase}*`;
}
