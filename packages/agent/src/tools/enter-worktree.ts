// Moves the agent into a working copy of its own.
import * as v from 'valibot';
import description from './enter-worktree.md';
import { pathField } from './fields.ts';
import { failed, ok } from './result.ts';
import { defineTool, type Tool } from './tool.ts';

interface EnteredPlace {
  readonly path: string;
  readonly branch: string;
  readonly start: string;
}

export interface EnterPort {
  /** Never rejects. */
  readonly enter: (
    name: string,
  ) => Promise<
    | { readonly kind: 'created' | 'inside'; readonly worktree: EnteredPlace }
    | { readonly kind: 'refused'; readonly reason: string }
  >;
  /** What the worktree is called if the model does not say. */
  readonly defaultName: string;
}

export function createEnterWorktree({ enter, defaultName }: EnterPort): Tool {
  return defineTool({
    name: 'enter_worktree',
    description,
    input: v.strictObject({
      name: v.optional(
        v.pipe(
          pathField('What the branch is called, below codey/.'),
          v.regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/, 'must be letters, digits, - and _, a letter first'),
        ),
      ),
    }),
    access: 'edit',
    subject: () => ({ kind: 'none' }),
    async run({ name = defaultName }) {
      const entered = await enter(name);
      switch (entered.kind) {
        case 'refused':
          return failed(`You are where you were: ${entered.reason}`);
        case 'inside':
          return failed(`You are in the worktree ${entered.worktree.path} already; exit_worktree leaves it.`);
        case 'created': {
          const { path, branch, start } = entered.worktree;
          return ok(
            `You are in ${path} now, on branch ${branch} from commit ${start.slice(0, 12)}. Relative paths and commands are there; changes that were not committed are not.`,
          );
        }
      }
    },
  });
}
