// What a person is shown before agreeing to what a repository supplies: plain data, the same for every front end.
import type { ListedFile } from './coverage.ts';
import type { Standing } from './standing.ts';
import type { Agreement } from './store.ts';

/** All that a user is asked to agree to. */
export interface Review {
  /** Real path of the project root. */
  readonly root: string;
  readonly hooks: readonly ReviewedHook[];
  readonly settings: readonly ReviewedSettings[];
  /** Why nothing counts that was agreed to earlier; a sentence. */
  readonly problem?: string;
}

interface Reviewed {
  /** `file:line`, relative to the root where it lies in it. */
  readonly place: string;
  readonly standing: Standing;
  /** What agreeing stores. It holds what was shown, not what is on disk when the answer comes. */
  readonly agreement: Agreement;
}

export interface ReviewedHook extends Reviewed {
  readonly id: string;
  readonly event: string;
  /** `command`, `http` … */
  readonly type: string;
  /** The exact command, address or prompt. */
  readonly runs: string;
  /** When and how it runs, the variables it reads and the headers it sends: whatever is not as usual. */
  readonly details: readonly Detail[];
  readonly covered: readonly ListedFile[];
  /** Why it runs more than this check can see; empty where nothing says so. */
  readonly unseen: readonly string[];
}

export interface ReviewedSettings extends Reviewed {
  readonly settings: readonly (Detail & { readonly place: string })[];
}

export interface Detail {
  readonly name: string;
  readonly value: string;
}

/** Whether there is anything a person has not agreed to. */
export function isOpen({ hooks, settings }: Review): boolean {
  return [...hooks, ...settings].some(({ standing }) => standing.kind !== 'trusted');
}

/** The sentence for stderr where nobody can be asked; undefined where nothing is held back. */
export function heldBackNotice({ hooks, settings, problem }: Review): string | undefined {
  const count = (all: readonly Reviewed[]) =>
    all.filter(({ standing }) => standing.kind !== 'trusted').length;
  const [heldHooks, heldFiles] = [count(hooks), count(settings)];
  if (heldHooks + heldFiles === 0) return undefined;
  const parts = [
    ...plural(heldHooks, 'hook of this repository', 'hooks of this repository'),
    ...plural(heldFiles, 'settings file of this repository', 'settings files of this repository'),
  ];
  const are = heldHooks + heldFiles === 1 ? 'is' : 'are';
  const why = problem === undefined ? '' : ` (${problem})`;
  return `${parts.join(' and ')} ${are} held back until you agree: codey hooks trust shows what would run${why}`;
}

function plural(count: number, one: string, many: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}
