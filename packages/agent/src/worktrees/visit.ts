// One agent's stay in a worktree it entered of its own accord, and the way back.
import type { MovablePlace, Place } from '../loop/place.ts';
import type { Asker, Created, Removed, Worktree, Worktrees } from './worktrees.ts';

export type Entered = Created | { readonly kind: 'inside'; readonly worktree: Worktree };

export interface Visit {
  /** Makes a worktree and moves the agent there; `inside` where it is in one already. */
  enter(name: string): Promise<Entered>;
  /** Moves it back and removes the worktree if nothing would be lost; undefined where it is in none. */
  exit(): Promise<{ readonly worktree: Worktree; readonly removed: Removed } | undefined>;
}

export interface VisitOptions {
  readonly worktrees: Worktrees;
  readonly place: MovablePlace;
  /** Whose hooks are asked, as it is at that moment. */
  readonly asker: () => Asker;
}

export function createVisit({ worktrees, place, asker }: VisitOptions): Visit {
  let inside: { readonly worktree: Worktree; readonly back: Place } | undefined;

  async function move(to: Place): Promise<void> {
    const old = place.cwd;
    place.moveTo(to);
    const { hooks, context } = asker();
    await hooks.dispatch('CwdChanged', { old_cwd: old, cwd: place.cwd }, context);
  }

  return {
    async enter(name) {
      if (inside !== undefined) return { kind: 'inside', worktree: inside.worktree };
      const created = await worktrees.create(name, asker());
      if (created.kind === 'refused') return created;
      inside = { worktree: created.worktree, back: { workspace: place.workspace, cwd: place.cwd } };
      await move(created.worktree);
      return created;
    },
    async exit() {
      if (inside === undefined) return undefined;
      const { worktree, back } = inside;
      inside = undefined;
      await move(back);
      return { worktree, removed: await worktrees.remove(worktree, asker()) };
    },
  };
}
