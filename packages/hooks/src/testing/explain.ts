// Says what an agent did wrong, in words that its developers can act on.
import { AssertionError } from 'node:assert';

/** Fails the case unless it holds; `otherwise` says in a sentence what happened instead. */
export function expectThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new AssertionError({ message: otherwise, stackStartFn: expectThat });
}

/** For a whole value; both values stand in the message. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got === wanted) return;
  throw new AssertionError({
    message: `${what}\n  expected  ${wanted}\n  got       ${got}`,
    actual,
    expected,
    operator: 'same JSON',
    stackStartFn: expectSame,
  });
}

export interface Failure {
  readonly id: string;
  readonly promise: string;
  readonly cites: readonly string[];
  /** Names of the events that hooks saw, in order. */
  readonly seen: readonly string[];
}

/** The error of a failed case: promise, what happened, where the promise stands, what hooks saw. */
export function explainFailure(error: unknown, { id, promise, cites, seen }: Failure): AssertionError {
  const known = error instanceof AssertionError;
  const happened = known ? error.message : `The host threw: ${saidBy(error)}`;
  const explained = new AssertionError({
    message: [
      `${id}: ${promise}`,
      happened,
      `(promises: ${cites.join(', ')})`,
      `(hooks saw: ${seen.length === 0 ? 'nothing' : seen.join(' ')})`,
    ].join('\n'),
    ...(known && { actual: error.actual, expected: error.expected, operator: error.operator }),
  });
  explained.cause = error;
  return explained;
}

function saidBy(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
