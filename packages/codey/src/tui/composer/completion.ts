// What can be completed where the cursor stands: a command and its argument at the start, a file behind `@`. Pure.

export interface Completion {
  /** What takes the place of the typed part. */
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
}

export type Completing =
  | { readonly kind: 'command'; readonly typed: string }
  | { readonly kind: 'argument'; readonly command: string; readonly typed: string }
  | { readonly kind: 'file'; readonly typed: string };

/** `before` is the line up to the cursor; only the first line of a prompt can be a command. */
export function completingAt(before: string, firstLine: boolean): Completing | undefined {
  if (firstLine) {
    const command = /^\/(\S*)$/.exec(before);
    if (command !== null) return { kind: 'command', typed: command[1] ?? '' };
    const argument = /^\/(\S+)\s+(.*)$/.exec(before);
    if (argument !== null) return { kind: 'argument', command: argument[1] ?? '', typed: argument[2] ?? '' };
  }
  const file = /(?:^|[\s([{'"`])@([^\s@]*)$/.exec(before);
  return file === null ? undefined : { kind: 'file', typed: file[1] ?? '' };
}

/**
 * The best matches first: the typed text at the start of a name, of its last part, anywhere, then its letters in order.
 * Shorter ones before longer ones. Where nothing is typed yet they keep the order they have.
 */
export function rank(candidates: readonly string[], typed: string, most: number): readonly string[] {
  if (typed === '') return candidates.slice(0, most);
  const wanted = typed.toLowerCase();
  return candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate.toLowerCase(), wanted) }))
    .filter(({ score }) => score !== undefined)
    .sort(
      (one, other) =>
        (one.score ?? 0) - (other.score ?? 0) ||
        one.candidate.length - other.candidate.length ||
        (one.candidate < other.candidate ? -1 : 1),
    )
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

function scoreOf(candidate: string, wanted: string): number | undefined {
  if (candidate.startsWith(wanted)) return 0;
  const lastPart = candidate.slice(candidate.lastIndexOf('/', candidate.length - 2) + 1);
  if (lastPart.startsWith(wanted)) return 1;
  if (candidate.includes(wanted)) return 2;
  return hasInOrder(candidate, wanted) ? 3 : undefined;
}

function hasInOrder(candidate: string, wanted: string): boolean {
  let at = -1;
  for (const letter of wanted) {
    at = candidate.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}
