// Which expectations of a story were not met, and what came in their place. Pure.
import type { JournalEntry, JournaledHook } from '@codey/hooks';
import type { StoryExpectation } from './story.ts';

export interface Unmet {
  readonly expectation: StoryExpectation;
  /** How often it happened. */
  readonly times: number;
  /** What was like it, one line each; empty where nothing was. */
  readonly came: readonly string[];
}

/** `names` are what hooks are called by their ids. */
export function unmetExpectations(
  expectations: readonly StoryExpectation[],
  entries: readonly JournalEntry[],
  names: ReadonlyMap<string, string>,
): readonly Unmet[] {
  return expectations.flatMap((expectation) => {
    const alike = entries.filter((entry) => isAlike(expectation, entry));
    const times = alike.filter((entry) => fits(expectation, entry, names)).length;
    const met = expectation.times === undefined ? times > 0 : times === expectation.times;
    return met ? [] : [{ expectation, times, came: alike.map((entry) => say(entry, names)) }];
  });
}

/** The kind of line that can answer the expectation at all. */
function isAlike(expected: StoryExpectation, entry: JournalEntry): boolean {
  switch (entry.kind) {
    case 'gate':
      return expected.gate !== undefined;
    case 'lifecycle':
      return entry.event === expected.event && !asksAboutHooks(expected);
    case 'dispatch':
      // Of a lifecycle event there are two lines: one that it was told, one with what its commands did.
      return entry.event === expected.event && (asksAboutHooks(expected) || !isLifecycle(entry.event));
    case 'hook_error':
    case 'notice':
      return false;
  }
}

function asksAboutHooks({ decision, outcomes }: StoryExpectation): boolean {
  return decision !== undefined || Object.keys(outcomes).length > 0;
}

function isLifecycle(event: string): boolean {
  return event === event.toLowerCase();
}

function fits(expected: StoryExpectation, entry: JournalEntry, names: ReadonlyMap<string, string>): boolean {
  const { tool, agent, decision, reason, error, message, by, gate, outcomes } = expected;
  const said: Readonly<Record<string, unknown>> = { ...entry };
  const text = typeof said.message === 'string' ? said.message : '';
  const verdict = decision === 'block' ? 'deny' : decision;
  const wanted = { tool, agent, verdict, reason, error, by, decision: gate };
  return (
    Object.entries(wanted).every(([key, value]) => value === undefined || said[key] === value) &&
    (message === undefined || text.includes(message)) &&
    Object.entries(outcomes).every(([name, outcome]) => hasOutcome(entry, name, outcome, names))
  );
}

function hasOutcome(
  entry: JournalEntry,
  name: string,
  outcome: string,
  names: ReadonlyMap<string, string>,
): boolean {
  if (entry.kind !== 'dispatch') return false;
  return entry.hooks.some(
    (hook) =>
      [hook.id, hook.source, names.get(hook.id)].includes(name) &&
      [hook.outcome, sayOutcome(hook)].includes(outcome),
  );
}

function sayOutcome({ outcome, why }: JournaledHook): string {
  return why === undefined ? outcome : `${outcome} (${why})`;
}

function say(entry: JournalEntry, names: ReadonlyMap<string, string>): string {
  switch (entry.kind) {
    case 'gate':
      return `${entry.tool} ${entry.decision} by ${entry.by}`;
    case 'dispatch':
      return [
        entry.event,
        entry.tool ?? '',
        entry.verdict,
        ...entry.hooks.map((hook) => `${names.get(hook.id) ?? hook.id}: ${sayOutcome(hook)}`),
      ]
        .filter(Boolean)
        .join(' ');
    case 'lifecycle':
      return [
        entry.event,
        entry.agent === 'main' ? '' : entry.agent,
        entry.tool,
        entry.reason,
        entry.error,
        entry.message,
      ]
        .filter(Boolean)
        .join(' ');
    case 'hook_error':
    case 'notice':
      return entry.kind;
  }
}
