// Permission rules: which of them speaks about a call, and how much of it the allowing ones cover together.
import {
  type CallView,
  type Coverage,
  coverageOf,
  matchRule,
  type PlacedRule,
  type SimpleCommand,
} from '@codey/hooks';

/** The united lists of all settings files and flags, in scope order. */
export interface PermissionRules {
  readonly deny: readonly PlacedRule[];
  readonly ask: readonly PlacedRule[];
  readonly allow: readonly PlacedRule[];
}

/** A deny or ask rule that speaks about a call. */
export interface SpeakingRule {
  readonly placed: PlacedRule;
  /** False where the call cannot be read well enough to tell: for a rule that guards, that counts as a match. */
  readonly certain: boolean;
}

/** The first rule of a guarding list that fits anything the call does, one that surely does before one that may. */
export function findGuard(rules: readonly PlacedRule[], view: CallView): SpeakingRule | undefined {
  let possible: SpeakingRule | undefined;
  for (const placed of rules) {
    const answer = matchRule(placed.rule, view, 'any');
    if (answer === 'yes') return { placed, certain: true };
    if (answer === 'unknown') possible ??= { placed, certain: false };
  }
  return possible;
}

/** How much of the call the allowing rules cover, with commands that `allowed` lets run anyway. */
export function allowedBy(
  rules: readonly PlacedRule[],
  view: CallView,
  allowed: (command: SimpleCommand) => boolean,
): Coverage {
  return coverageOf(
    view,
    rules.map(({ rule }) => rule),
    allowed,
  );
}

/** `rule "run_shell(git push*)" (settings.json:12)`, for reasons that people and the model read. */
export function describeRule({ rule, source }: PlacedRule): string {
  return `rule "${rule.text}" (${source.file}:${source.line})`;
}
