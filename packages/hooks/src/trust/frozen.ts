// The repository's hooks as a session first saw them: whether each is trusted, and whether its files are still the same.
import { changesBetween, type Coverage, isUnchanged, summarizeChanges } from './coverage.ts';
import type { FileMarks } from './fingerprint.ts';
import { type Inspection, sharedInspection } from './inspection.ts';
import { coverHook, type Offer, type Surroundings } from './offer.ts';
import type { AnyHook, TrustState } from './trust.ts';

export interface FrozenHooks {
  /**
   * Keeps a hook as it is in the offer. One that is kept already stays as it was, so that a reload is no way around the
   * freeze, unless its definition is another or the user agreed to what is offered.
   */
  admit(offer: Offer, state: FrozenState, agreed: boolean): void;
  knows(hook: AnyHook): boolean;
  /** At once where nothing changed, which takes microseconds. The hook must be known. */
  check(hook: AnyHook, workspace: string): TrustState | Promise<TrustState>;
  /** Absolute paths of everything covered. */
  paths(): readonly string[];
}

export type FrozenState = 'trusted' | 'untrusted' | 'modified';

interface Frozen {
  readonly offer: Offer;
  readonly state: FrozenState;
  /** Its files as they were. */
  readonly marks: FileMarks;
  /** The last look by workspace, with what it meant. */
  readonly seen: Map<string, { readonly coverage: Coverage; readonly state: TrustState }>;
}

export function createFrozenHooks(surroundings: Surroundings, now: () => number): FrozenHooks {
  const { root } = surroundings;
  const inspection = sharedInspection(now);
  const hooks = new Map<string, Frozen>();

  async function lookAgain(hook: Frozen, workspace: string, look: Inspection): Promise<TrustState> {
    const { hook: asked, reading } = hook.offer;
    const { coverage } = await coverHook(asked, reading, workspace, surroundings, look);
    const state = compare(hook.marks, coverage.marks, workspace === root);
    hook.seen.set(workspace, { coverage, state });
    return state;
  }

  return {
    admit(offer, state, agreed) {
      const key = keyOf(offer.hook);
      if (hooks.get(key)?.offer.definition === offer.definition && !agreed) return;
      const { coverage } = offer;
      const seen = new Map([[root, { coverage, state: { kind: 'trusted' } as const }]]);
      hooks.set(key, { offer, state, marks: coverage.marks, seen });
    },
    knows: (hook) => hooks.has(keyOf(hook)),
    check(hook, workspace) {
      const known = hooks.get(keyOf(hook));
      if (known === undefined) return { kind: 'untrusted' };
      if (known.state !== 'trusted') return { kind: known.state };
      const look = inspection();
      const seen = known.seen.get(workspace);
      return seen !== undefined && isUnchanged(seen.coverage, look)
        ? seen.state
        : lookAgain(known, workspace, look);
    },
    paths: () => [...hooks.values()].flatMap(({ offer }) => offer.coverage.paths),
  };
}

/**
 * One place of one file and what runs there. What an engine may change on its own copy of a hook, such as its failure
 * mode, is not part of it.
 */
export function keyOf(hook: AnyHook): string {
  const { file, line, column } = hook.source;
  return [file, line, column, hook.event, hook.identity].join('\0');
}

function compare(before: FileMarks, now: FileMarks, inRoot: boolean): TrustState {
  const changes = changesBetween(before, now);
  if (changes.length === 0) return { kind: 'trusted' };
  const since = inRoot ? 'since this session began' : 'in this worktree';
  return { kind: 'changed', what: `${summarizeChanges(changes)} ${since}; review` };
}
