// Whether a rule fits a call. One parser, two questions: does anything in the call fit, and does all of it?
import type { CallView, CommandSubject, PathSubject, UrlSubject } from './call.ts';
import { compileGlob, type Glob, unknownPart } from './glob.ts';
import type { Answer3 } from './matcher.ts';
import type { Rule } from './parse.ts';
import type { SimpleCommand } from './shell.ts';

export type { CallView } from './call.ts';

/**
 * - `any`: is there something in the call that the rule fits? For hooks, and for rules that deny or ask: there `unknown`
 *   counts as yes.
 * - `every`: does the rule fit all the call does, with nothing unknown? For whatever allows; never `unknown`.
 */
export type Question = 'any' | 'every';

/** How much of a call an allow covers. */
export type Coverage =
  | { readonly kind: 'whole' }
  /** `said` completes “allow ignored: …”. */
  | { readonly kind: 'part'; readonly said: string };

/** Answers either question. */
export function matchRule(rule: Rule, view: CallView, question: Question): Answer3 {
  return question === 'any' ? fitsAny(rule, view) : allowCoverage(rule, view).kind === 'whole' ? 'yes' : 'no';
}

/** How much of a call one rule covers. */
export function allowCoverage(rule: Rule, view: CallView): Coverage {
  return coverageOf(view, [rule]);
}

/**
 * How much of a call several allows cover together. In a command line each command needs a rule that fits it, and they
 * may be different ones; `allowed` may name further commands that need none.
 */
export function coverageOf(
  view: CallView,
  rules: readonly Rule[],
  allowed: (command: SimpleCommand) => boolean = () => false,
): Coverage {
  const fitting = rules.map(compile).filter((rule) => fitsTool(rule, view.tool));
  if (fitting.some(({ glob }) => glob === undefined || (glob.matchesAll && view.subject.kind !== 'none')))
    return whole;
  const globs = fitting.flatMap(({ glob }) => glob ?? []);
  switch (view.subject.kind) {
    case 'command':
    case 'path':
    case 'url':
      return plainCoverage(view.subject, globs, allowed);
    case 'guessed': {
      const { subjects, complete } = view.subject;
      if (!complete) return { kind: 'part', said: 'the input is not known in full' };
      if (subjects.length === 0) return nothingToCover;
      const parts = subjects.map((subject) => plainCoverage(subject, globs, allowed));
      return parts.find(({ kind }) => kind === 'part') ?? whole;
    }
    case 'none':
      return nothingToCover;
  }
}

const nothingToCover: Coverage = { kind: 'part', said: 'the call has nothing its glob could cover' };

function plainCoverage(
  subject: CommandSubject | PathSubject | UrlSubject,
  globs: readonly Glob[],
  allowed: (command: SimpleCommand) => boolean,
): Coverage {
  switch (subject.kind) {
    case 'command':
      return commandCoverage(subject, (command) => coversCommand(globs, command) || allowed(command));
    case 'path':
      return pathCoverage(subject, globs);
    case 'url':
      return subject.real.some((form) => globs.some((glob) => glob.matches(form)))
        ? whole
        : { kind: 'part', said: 'it does not cover the address' };
  }
}

const whole: Coverage = { kind: 'whole' };

function commandCoverage(subject: CommandSubject, covers: (command: SimpleCommand) => boolean): Coverage {
  // A wrapper that only starts other commands is allowed with them; `./timeout` may be anything.
  const commands = subject.commands.filter(
    ({ transparent, words }) => !transparent || words[0]?.includes('/'),
  );
  const covered = commands.filter(covers).length;
  if (covered < commands.length) {
    return {
      kind: 'part',
      said: `covers ${covered} of ${commands.length} ${commands.length === 1 ? 'command' : 'commands'}`,
    };
  }
  const [doubt] = subject.doubts;
  if (!subject.complete)
    return { kind: 'part', said: `the command line is not known in full: ${doubt ?? 'unread'}` };
  if (commands.length === 0) return { kind: 'part', said: 'the line holds no command' };
  const control = subject.assigned.find(steersPrograms);
  if (control !== undefined)
    return { kind: 'part', said: `the line sets ${control}, which changes what its commands do` };
  const written = subject.redirects.find(writesFile);
  if (written !== undefined)
    return { kind: 'part', said: `the line also writes ${printable(written.target)}` };
  return whole;
}

/** Other spellings do not count here: `git -C elsewhere status` is not `git status`. */
function coversCommand(globs: readonly Glob[], { words }: SimpleCommand): boolean {
  const text = words.join(' ');
  return !text.includes(unknownPart) && globs.some((glob) => glob.matches(text));
}

/** Variables with which a harmless command loads or starts something else. */
function steersPrograms(name: string): boolean {
  return /^(?:PATH|CDPATH|IFS|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|PS4|SHELL|HOME|EDITOR|VISUAL|PAGER|BROWSER|LESSOPEN|LESSCLOSE|MANPAGER|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|CLASSPATH|XDG_CONFIG_HOME|MAKEFLAGS|.*_PAGER|.*_EDITOR|.*_BASE_URL|(?:LD|DYLD|NODE|PYTHON|PERL5|GIT|SSH|npm_config|NPM_CONFIG|CODEY|KODER|HERDR)[_A-Z0-9].*)$/.test(
    name,
  );
}

/** Whether a redirect changes a file: a command glob says nothing about that. */
export function writesFile({
  direction,
  target,
}: {
  readonly direction: 'in' | 'out';
  readonly target: string;
}): boolean {
  return direction === 'out' && !/^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(target);
}

function printable(word: string): string {
  return word.includes(unknownPart) ? 'a file that is known only when it runs' : word;
}

function pathCoverage(subject: PathSubject, globs: readonly Glob[]): Coverage {
  if (!subject.complete) return { kind: 'part', said: 'the links in the path could not be resolved' };
  const fits = subject.real.some((form) => globs.some((glob) => glob.matches(form)));
  return fits ? whole : { kind: 'part', said: 'it does not cover the file the path leads to' };
}

function fitsAny(rule: Rule, view: CallView): Answer3 {
  const compiled = compile(rule);
  if (!fitsTool(compiled, view.tool)) return 'no';
  const { glob } = compiled;
  if (glob === undefined) return 'yes';
  switch (view.subject.kind) {
    case 'command':
    case 'path':
    case 'url':
      return fitsPlain(glob, view.subject);
    case 'guessed': {
      const { subjects, texts, complete } = view.subject;
      if (texts.some((text) => glob.matches(text))) return 'yes';
      const answers = subjects.map((subject) => fitsPlain(glob, subject));
      if (answers.includes('yes')) return 'yes';
      return complete && !answers.includes('unknown') ? 'no' : 'unknown';
    }
    case 'none':
      return 'no';
  }
}

function fitsPlain(glob: Glob, subject: CommandSubject | PathSubject | UrlSubject): Answer3 {
  switch (subject.kind) {
    case 'command':
      return fitsAnyCommand(glob, subject);
    case 'path':
      if (subject.forms.some((form) => glob.matches(form))) return 'yes';
      return subject.complete && !subject.forms.some((form) => glob.couldMatch(form)) ? 'no' : 'unknown';
    case 'url':
      return subject.forms.some((form) => glob.matches(form)) ? 'yes' : 'no';
  }
}

function fitsAnyCommand(glob: Glob, subject: CommandSubject): Answer3 {
  const texts = subject.commands
    .flatMap(({ words, also }) => [words, ...also])
    .map((words) => words.join(' '));
  if (glob.matchesAll || texts.some((text) => glob.matches(text))) return 'yes';
  return !subject.complete || texts.some((text) => glob.couldMatch(text)) ? 'unknown' : 'no';
}

interface CompiledRule {
  readonly tools: readonly Glob[];
  readonly glob?: Glob;
}

function fitsTool(rule: CompiledRule, tool: string): boolean {
  return rule.tools.some((name) => name.matches(tool));
}

/** A rule is tested at every call of a session; it is compiled at the first. */
function compile(rule: Rule): CompiledRule {
  const known = compiledRules.get(rule);
  if (known !== undefined) return known;
  const made: CompiledRule = {
    tools: rule.tools.map(compileGlob),
    ...(rule.glob !== undefined && { glob: compileGlob(rule.glob) }),
  };
  compiledRules.set(rule, made);
  return made;
}

const compiledRules = new WeakMap<Rule, CompiledRule>();
