// Runs the suite against one agent and says what came of each case.
import { AssertionError } from 'node:assert';
import { conformanceCases } from './cases.ts';
import type { ConformanceCase } from './define-case.ts';
import type { ConformanceHost } from './host.ts';

/** Which cases run, and against what. */
export interface RunConformanceOptions {
  /** Ids of the cases to run; all of them if not given. */
  readonly only?: readonly string[];
  /** Cases left out, by id, each with the reason why. */
  readonly skip?: Readonly<Record<string, string>>;
  /** Milliseconds after which a case that has not ended has failed; two minutes if not given. */
  readonly deadlineMs?: number;
  /** Told as each case ends. */
  readonly onResult?: (result: ConformanceResult) => void;
}

/** What a case found. */
export type ConformanceResult =
  | { readonly kind: 'passed'; readonly case: ConformanceCase }
  /** The error's message says what was promised and what happened. */
  | { readonly kind: 'failed'; readonly case: ConformanceCase; readonly error: Error }
  | { readonly kind: 'skipped'; readonly case: ConformanceCase; readonly reason: string };

/** One case after another, in their order. Throws for an id that no case has: a typo must not skip a promise. */
export async function runConformance(
  host: ConformanceHost,
  options: RunConformanceOptions = {},
): Promise<readonly ConformanceResult[]> {
  const { only, skip = {}, onResult = () => {} } = options;
  checkIds([...(only ?? []), ...Object.keys(skip)]);
  const results: ConformanceResult[] = [];
  for (const examined of conformanceCases) {
    if (only !== undefined && !only.includes(examined.id)) continue;
    const reason = skip[examined.id] ?? whyNotAsked(examined, host);
    const result: ConformanceResult =
      reason === undefined
        ? await runCase(examined, host, options.deadlineMs ?? 120_000)
        : { kind: 'skipped', case: examined, reason };
    results.push(result);
    onResult(result);
  }
  return results;
}

/** Undefined for a case that the host can be asked about. */
export function whyNotAsked({ needs }: ConformanceCase, host: ConformanceHost): string | undefined {
  return needs === undefined || host[needs] !== undefined ? undefined : `the agent has no ${needs}`;
}

async function runCase(
  examined: ConformanceCase,
  host: ConformanceHost,
  deadlineMs: number,
): Promise<ConformanceResult> {
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    const message = `The agent did not come to an end within ${deadlineMs / 1000} s.`;
    deadline.abort(new AssertionError({ message }));
  }, deadlineMs);
  try {
    await examined.run(host, deadline.signal);
    return { kind: 'passed', case: examined };
  } catch (error) {
    return { kind: 'failed', case: examined, error: error as Error };
  } finally {
    clearTimeout(timer);
  }
}

function checkIds(ids: readonly string[]): void {
  const known = new Set(conformanceCases.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  throw new RangeError(
    `no conformance case is called ${unknown.join(', ')}; there are ${[...known].join(', ')}`,
  );
}
