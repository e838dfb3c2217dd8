// A group's `matcher`, compiled once.

export interface Matcher {
  /** As written; empty, missing and `*` match everything. */
  readonly text: string;
  /** `unknown` when it could not be decided within its limit: the hook then runs. */
  test(value: string): 'yes' | 'no' | 'unknown';
}
