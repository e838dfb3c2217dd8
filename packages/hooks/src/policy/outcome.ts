// The closed set of things that can become of a hook; engine, journal, screen and docs use these words.

export const skipReasons = [
  'matcher',
  'if',
  'once',
  'duplicate',
  'disabled',
  'untrusted',
  'modified',
  'invalid',
  'group-ended',
  'bare',
  'managed-only',
  'depth',
  'rehearsal',
  'exit',
] as const;
/** Why a hook did not run. */
export type SkipReason = (typeof skipReasons)[number];

/** Fixed words for why a hook failed; the journal holds the word, never the text. */
export const failureCauses = [
  'missing',
  'not-executable',
  'spawn',
  'cwd',
  'exit-code',
  'signal',
  'output',
  'http-status',
  'http-network',
  'http-address',
  'model',
  'worker',
  'threw',
  'env-file',
  'unsupported',
] as const;
/** How a hook broke, in a fixed word that may stand in the journal. */
export type FailureCause = (typeof failureCauses)[number];

/** What became of one hook; nothing else can. */
export type Outcome =
  /** Ran and had nothing to say about the verdict. */
  | { readonly kind: 'passed' }
  /** Gave a verdict that does not block, or changed something. */
  | { readonly kind: 'decided' }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'failed'; readonly cause: FailureCause; readonly message: string }
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  | { readonly kind: 'cancelled'; readonly why: 'interrupt' | 'exit' }
  | { readonly kind: 'skipped'; readonly why: SkipReason };

/** The seven words for what became of a hook. */
export type OutcomeKind = Outcome['kind'];
/** All seven, in the order in which they are documented. */
export const outcomeKinds = [
  'passed',
  'decided',
  'blocked',
  'failed',
  'timed-out',
  'cancelled',
  'skipped',
] as const satisfies readonly OutcomeKind[];
