// Whether a tested event came to what somebody expected of it. Pure.
import { isDeepStrictEqual } from 'node:util';
import type { Tested, TestedHook } from './tested.ts';

/** Absent means anything. */
export interface Expectation {
  readonly decision?: Tested['verdict'];
  /** Part of one of the reasons. */
  readonly reason?: string;
  /** The whole input the tool would get. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Part of a text for the model. */
  readonly context?: string;
  /** By name, `file:line` or id: `blocked`, or with its word, `skipped (if)`. */
  readonly outcomes: Readonly<Record<string, string>>;
}

export interface Difference {
  readonly what: string;
  readonly expected: string;
  readonly got: string;
}

/** Empty where everything is as expected. */
export function differences(expected: Expectation, tested: Tested): readonly Difference[] {
  const { decision, reason, input, context, outcomes } = expected;
  return [
    ...(decision === undefined ? [] : differ('decision', decision, tested.verdict)),
    ...(reason === undefined ? [] : missing('reason', reason, tested.reasons)),
    ...(context === undefined ? [] : missing('context', context, tested.contexts)),
    ...(input === undefined || isDeepStrictEqual(input, tested.input)
      ? []
      : [{ what: 'input', expected: show(input), got: show(tested.input) }]),
    ...Object.entries(outcomes).flatMap(([name, outcome]) => outcomeOf(name, outcome, tested.hooks)),
  ];
}

function differ(what: string, expected: string, got: string): readonly Difference[] {
  return expected === got ? [] : [{ what, expected, got }];
}

function missing(what: string, part: string, texts: Tested['reasons']): readonly Difference[] {
  if (texts.some(({ text }) => text.includes(part))) return [];
  const got = texts.length === 0 ? 'none' : texts.map(({ text }) => text).join('; ');
  return [{ what, expected: `one with "${part}"`, got }];
}

function outcomeOf(name: string, expected: string, hooks: readonly TestedHook[]): readonly Difference[] {
  const named = hooks.filter((hook) => isCalled(hook, name));
  if (named.length === 0) {
    const there = hooks.length === 0 ? 'the event has no hooks' : hooks.map((hook) => hook.name).join(', ');
    return [{ what: name, expected, got: `no such hook: ${there}` }];
  }
  if (named.some((hook) => fits(hook, expected))) return [];
  return [{ what: name, expected, got: named.map(say).join(', ') }];
}

function isCalled({ name, id, file, line }: TestedHook, wanted: string): boolean {
  return wanted === name || wanted === id || `/${file}:${line}`.endsWith(`/${wanted}`);
}

/** Without its word an outcome stands for every one of its kind. */
function fits(hook: TestedHook, expected: string): boolean {
  return expected === hook.outcome || expected === say(hook);
}

function say({ outcome, why }: TestedHook): string {
  return why === undefined ? outcome : `${outcome} (${why})`;
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'none';
}
