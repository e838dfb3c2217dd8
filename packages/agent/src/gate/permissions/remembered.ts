// What a human said yes to before: for this session, or kept for the project. It stands where the human stands.
import {
  type CallView,
  coverageOf,
  escapeGlob,
  type GuessedSubject,
  parseRule,
  type Rule,
} from '@codey/hooks';

/** Where approvals are kept between sessions; never a settings file. Neither function rejects. */
export interface ApprovalStore {
  load(): Promise<{ readonly rules: readonly string[]; readonly problem?: string }>;
  /** Adds one rule to what is kept. */
  keep(rule: string): Promise<{ readonly problem?: string }>;
}

export interface RememberedApprovals {
  /** The rule texts, as they were agreed to, that together cover the call; undefined where they do not. */
  find(view: CallView): readonly string[] | undefined;
  /** Remembers a rule; a store that fails is a notice, and the rule then holds for the session. */
  add(pattern: string, keep: 'session' | 'project'): Promise<void>;
  list(): readonly { readonly pattern: string; readonly keep: 'session' | 'project' }[];
}

export interface RememberOptions {
  readonly store: ApprovalStore;
  /** Told what could not be read or kept, in a sentence. */
  readonly notice: (sentence: string) => void;
}

/** Reads what is kept. Rules that no longer parse are left out, with a notice. */
export async function rememberApprovals({ store, notice }: RememberOptions): Promise<RememberedApprovals> {
  const known = new Map<string, { readonly rule: Rule; readonly keep: 'session' | 'project' }>();
  const learn = (pattern: string, keep: 'session' | 'project') => {
    const parsed = parseRule(pattern);
    if (parsed.ok) known.set(pattern, { rule: parsed.rule, keep });
    else notice(`a remembered approval is not used: ${parsed.message}`);
    return parsed.ok;
  };
  const kept = await store.load();
  if (kept.problem !== undefined) notice(kept.problem);
  for (const pattern of kept.rules) learn(pattern, 'project');

  return {
    find(view) {
      const rules = [...known.values()].map(({ rule }) => rule);
      if (rules.length === 0 || coverageOf(view, rules).kind === 'part') return undefined;
      const single = rules.find((rule) => coverageOf(view, [rule]).kind === 'whole');
      return (single === undefined ? rules : [single]).map(({ text }) => text);
    },
    async add(pattern, keep) {
      if (!learn(pattern, keep) || keep === 'session') return;
      const { problem } = await store.keep(pattern);
      if (problem !== undefined) notice(problem);
    },
    list: () => [...known].map(([pattern, { keep }]) => ({ pattern, keep })),
  };
}

/**
 * The rule that covers this call and calls just like it: the same command, file or address. Undefined where no single
 * rule does, as for a line of two commands or one that writes a file.
 */
export function patternFor(view: CallView): string | undefined {
  const argument = argumentOf(view);
  if (argument === undefined) return undefined;
  const pattern = argument === '' ? view.tool : `${view.tool}(${escapeGlob(argument)})`;
  const parsed = parseRule(pattern);
  return parsed.ok && coverageOf(view, [parsed.rule]).kind === 'whole' ? pattern : undefined;
}

/** Empty for a call without an argument; undefined where there is not one that says it all. */
function argumentOf({ subject }: CallView): string | undefined {
  switch (subject.kind) {
    case 'guessed':
      return argumentOfGuessed(subject);
    case 'command':
      return subject.commands.find((command) => !command.transparent)?.words.join(' ') || undefined;
    case 'path':
      return subject.real[0];
    case 'url':
      return subject.real[0];
    case 'none':
      return '';
  }
}

/** Several subjects fit no single glob: the tool as a whole then, unless it is one that runs commands. */
function argumentOfGuessed({ subjects }: GuessedSubject): string | undefined {
  const [first, second] = subjects;
  if (first !== undefined && second === undefined) return argumentOf({ tool: '', subject: first });
  return subjects.some(({ kind }) => kind === 'command') ? undefined : '';
}
