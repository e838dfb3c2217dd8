// Brings the agent back from the worktree it entered.
import * as v from 'valibot';
import description from './exit-worktree.md';
import { failed, ok } from './result.ts';
import { defineTool, type Tool } from './tool.ts';

export interface ExitPort {
  /** Undefined where the agent is in no worktree; never rejects. */
  readonly exit: () => Promise<
    | {
        readonly worktree: { readonly path: string; readonly branch: string };
        readonly removed: { readonly kind: 'removed' } | { readonly kind: 'kept'; readonly why: string };
      }
    | undefined
  >;
}

export function createExitWorktree({ exit }: ExitPort): Tool {
  return defineTool({
    name: 'exit_worktree',
    description,
    input: v.strictObject({}),
    access: 'free',
    subject: () => ({ kind: 'none' }),
    async run() {
      const left = await exit();
      if (left === undefined) return failed('You are in no worktree that enter_worktree made.');
      const { worktree, removed } = left;
      if (removed.kind === 'removed')
        return ok('You are back. The worktree held nothing new and is removed.');
      return ok(
        `You are back. The worktree ${worktree.path} (branch ${worktree.branch}) is kept: ${removed.why}.`,
      );
    },
  });
}
