// Asked before a clean worktree is removed.
import { definePolicyEvent } from '../define-event.ts';
import { worktreePath } from './fields.ts';

export const WorktreeRemove = definePolicyEvent({
  name: 'WorktreeRemove',
  family: 'Agents, teams, and worktrees',
  summary:
    'When a worktree without changes is about to be removed because its agent is done; one with changes is kept.',
  get payload() {
    return { worktree_path: worktreePath() };
  },
  matchOn: null,
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'side-by-side',
  block: 'The worktree is kept.',
  output: [],
  textIsContext: false,
  envFile: false,
  example: { worktree_path: '/home/you/shop/.codey/worktrees/reviewer-2' },
  since: '0.1.0',
});
