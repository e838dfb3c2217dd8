// Asked before an agent gets a worktree of its own.
import * as v from 'valibot';
import { definePolicyEvent } from '../define-event.ts';
import { worktreePath } from './fields.ts';

export const WorktreeCreate = definePolicyEvent({
  name: 'WorktreeCreate',
  family: 'Agents, teams, and worktrees',
  summary: 'When an isolated worktree for an agent is about to be created.',
  get payload() {
    return {
      branch: v.pipe(v.string(), v.description('Branch that will be checked out in it.')),
      worktree_path: worktreePath(),
    };
  },
  matchOn: null,
  inRun: false,
  aboutToolCall: false,
  rewrites: false,
  groups: 'in-order',
  block: 'The worktree is not created and the agent that wanted it gets the reason.',
  output: ['worktreePath'],
  textIsContext: false,
  envFile: false,
  example: { branch: 'codey/reviewer-2', worktree_path: '/home/you/shop/.codey/worktrees/reviewer-2' },
  since: '0.1.0',
});
