// One `*.hooktest.yaml`: a case, or a list of cases, each an event and what its hooks should come to.
import { isObject, outcomeKinds } from '@codey/hooks';
import { didYouMean } from '../../cli/suggest.ts';
import { type Finding, readYaml, type Step } from '../read-yaml.ts';
import type { Expectation } from './expectation.ts';
import type { Asked } from './question.ts';

export interface FixtureCase {
  readonly name: string;
  readonly line: number;
  readonly asked: Asked;
  readonly expected: Expectation;
}

export type ParsedFixture =
  | { readonly ok: true; readonly cases: readonly FixtureCase[] }
  /** Each `file:line:column  what`. */
  | { readonly ok: false; readonly problems: readonly string[] };

export function parseFixture(file: string, text: string): ParsedFixture {
  const yaml = readYaml(file, text);
  if (yaml.problems.length > 0) return { ok: false, problems: yaml.problems };
  const findings: Finding[] = [];
  const single = !Array.isArray(yaml.value);
  const entries: readonly unknown[] = single ? [yaml.value] : (yaml.value as readonly unknown[]);
  const cases = entries.flatMap((entry, index) => {
    const at = single ? [] : [index];
    const parsed = parseCase(entry, at, findings);
    return parsed === undefined ? [] : [{ ...parsed, line: yaml.lineOf(at) }];
  });
  return findings.length === 0 ? { ok: true, cases } : { ok: false, problems: findings.map(yaml.say) };
}

const caseKeys = ['name', 'event', 'tool', 'input', 'payload', 'expect'];
const expectKeys = ['decision', 'reason', 'input', 'context', 'outcomes'];
/** `block` is what hooks print, `deny` what it is called everywhere else. */
const decisions = ['none', 'allow', 'ask', 'deny', 'block', 'continue', 'halt'] as const;

function parseCase(
  entry: unknown,
  at: readonly Step[],
  findings: Finding[],
): Omit<FixtureCase, 'line'> | undefined {
  if (!isObject(entry)) {
    findings.push({ at, message: 'a case is a map with event and expect' });
    return undefined;
  }
  checkKeys(entry, caseKeys, at, findings);
  const event = text(entry, 'event', at, findings);
  if (event === undefined)
    findings.push({ at, message: 'the case does not say which event; add "event: PreToolUse"' });
  if (!isObject(entry.expect))
    findings.push({
      at: [...at, 'expect'],
      message: 'the case expects nothing; add "expect:" with a decision or outcomes',
    });
  const tool = text(entry, 'tool', at, findings);
  const input = map(entry, 'input', at, findings);
  const payload = map(entry, 'payload', at, findings);
  const expected = parseExpectation(isObject(entry.expect) ? entry.expect : {}, [...at, 'expect'], findings);
  const asked: Asked = {
    event: event ?? '',
    ...(tool !== undefined && { tool }),
    ...(input !== undefined && { input }),
    ...(payload !== undefined && { payload }),
  };
  const name =
    text(entry, 'name', at, findings) ??
    [event, tool, input && JSON.stringify(input)].filter(Boolean).join(' ');
  return { name, asked, expected };
}

function parseExpectation(entry: Fields, at: readonly Step[], findings: Finding[]): Expectation {
  checkKeys(entry, expectKeys, at, findings);
  const decision = text(entry, 'decision', at, findings);
  if (decision !== undefined && !decisions.some((word) => word === decision)) {
    findings.push({
      at: [...at, 'decision'],
      message: `decision is one of ${decisions.join(', ')}, not ${decision}${didYouMean(decision, decisions)}`,
    });
  }
  const reason = text(entry, 'reason', at, findings);
  const context = text(entry, 'context', at, findings);
  const input = map(entry, 'input', at, findings);
  return {
    ...(decision !== undefined && {
      decision: (decision === 'block' ? 'deny' : decision) as Expectation['decision'] & string,
    }),
    ...(reason !== undefined && { reason }),
    ...(context !== undefined && { context }),
    ...(input !== undefined && { input }),
    outcomes: parseOutcomes(map(entry, 'outcomes', at, findings) ?? {}, [...at, 'outcomes'], findings),
  };
}

function parseOutcomes(
  entry: Fields,
  at: readonly Step[],
  findings: Finding[],
): Readonly<Record<string, string>> {
  const known: readonly string[] = outcomeKinds;
  const outcomes: Record<string, string> = {};
  for (const [name, value] of Object.entries(entry)) {
    const kind = typeof value === 'string' ? value.replace(/ \(.*\)$/, '') : String(value);
    if (known.includes(kind)) outcomes[name] = String(value);
    else
      findings.push({
        at: [...at, name],
        message: `an outcome is one of ${known.join(', ')}, not ${kind}${didYouMean(kind, known)}`,
      });
  }
  return outcomes;
}

type Fields = Readonly<Record<string, unknown>>;

function text(entry: Fields, key: string, at: readonly Step[], findings: Finding[]): string | undefined {
  const value = entry[key];
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  findings.push({ at: [...at, key], message: `${key} must be a text; put it in quotes` });
  return undefined;
}

function map(entry: Fields, key: string, at: readonly Step[], findings: Finding[]): Fields | undefined {
  const value = entry[key];
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  findings.push({ at: [...at, key], message: `${key} must be a map` });
  return undefined;
}

function checkKeys(entry: Fields, known: readonly string[], at: readonly Step[], findings: Finding[]): void {
  for (const key of Object.keys(entry)) {
    if (known.includes(key)) continue;
    const help = didYouMean(key, known) || `; there are ${known.join(', ')}`;
    findings.push({ at: [...at, key], message: `unknown key "${key}"${help}` });
  }
}
