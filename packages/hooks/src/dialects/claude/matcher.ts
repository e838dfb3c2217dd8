// The matcher rule of that format: everything, a list of exact names, or a regular expression.
import { type Answer3, compileMatcher, type Matcher } from '../../condition/matcher.ts';
import { didYouMean } from '../../config/suggest.ts';
import type { PolicyEventName } from '../../policy/catalogue.ts';
import { claudeEvents, type Match } from './events.ts';
import { canBeCalled, knownToolNames } from './names.ts';

export type ClaudeMatcher =
  | { readonly ok: true; readonly matcher: Matcher; readonly remark?: Remark }
  | { readonly ok: false; readonly message: string };

/** What somebody should know about a matcher that is right in itself. */
export type Remark =
  /** Completes “never fires:”. */
  | { readonly kind: 'never'; readonly reason: string }
  | { readonly kind: 'warning'; readonly message: string; readonly hint?: string };

/** The matcher is tested on our match value and answers for every name that format has for it. */
export function compileClaudeMatcher(event: PolicyEventName, text = ''): ClaudeMatcher {
  const { match } = claudeEvents[event];
  const matchesAll = text === '' || text === '*';
  if (match === undefined) {
    const remark: Remark = {
      kind: 'warning',
      message: `${event} has nothing a matcher could be tested on, so this one matches always`,
      hint: 'leave it out',
    };
    return { ok: true, matcher: always(text), ...(!matchesAll && { remark }) };
  }
  if (matchesAll) return { ok: true, matcher: always(text) };
  const words = exactNames(text, match);
  if (words !== undefined) {
    const remark = aboutNames(words, match);
    const test = (name: string): Answer3 => (words.includes(name) ? 'yes' : 'no');
    return { ok: true, matcher: overNames(text, match, test), ...(remark !== undefined && { remark }) };
  }
  const compiled = compileMatcher(text);
  if (!compiled.ok) return compiled;
  return { ok: true, matcher: overNames(text, match, (name) => compiled.matcher.test(name)) };
}

/** The names of a matcher that is a list of them; undefined for a regular expression. */
export function exactNames(text: string, match: Match): readonly string[] | undefined {
  if (match.fileNames === true) return splitNames(text, /\|/);
  return /^[\w\s,|-]+$/.test(text) ? splitNames(text, /[|,]/) : undefined;
}

function splitNames(text: string, separator: RegExp): readonly string[] {
  return text
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function always(text: string): Matcher {
  return { text, test: () => 'yes' };
}

/** `unknown` where nobody can tell the value: the hook then runs. */
function overNames(text: string, match: Match, test: (name: string) => Answer3): Matcher {
  return {
    text,
    test(value) {
      const answers = match.names(value).map(test);
      if (answers.includes('yes')) return 'yes';
      return answers.length === 0 || answers.includes('unknown') ? 'unknown' : 'no';
    },
  };
}

function aboutNames(words: readonly string[], match: Match): Remark | undefined {
  if (match.never !== undefined && words.every((word) => match.never?.includes(word))) {
    return { kind: 'never', reason: `the ${match.what} is never ${words.join(' or ')} here` };
  }
  return match.what === 'tool name' ? aboutTools(words) : undefined;
}

/** A list with one name that can match is in use; the others may be meant for other programs. */
function aboutTools(words: readonly string[]): Remark | undefined {
  if (words.some(canBeCalled)) return undefined;
  const [first = ''] = words;
  if (words.every((word) => knownToolNames.includes(word))) {
    return { kind: 'never', reason: `there is no tool ${words.join(' or ')} here` };
  }
  const hint = first.startsWith('mcp__')
    ? `write "${first}__.*" for all tools of that server`
    : didYouMean(first, knownToolNames);
  return {
    kind: 'warning',
    message: `no tool is called ${words.join(' or ')}, so this matcher may never match`,
    ...(hint !== undefined && { hint }),
  };
}
