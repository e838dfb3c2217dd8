// The changes of tasks that hooks are asked about: before anything is written, and while no lock is held.
import { refusalOf } from '../loop/refusal.ts';
import type { LiveAgent } from '../subagents/live-agent.ts';
import { type Answer, done, refused } from './answer.ts';
import type { TaskChange } from './decide-task.ts';
import type { Task } from './task.ts';
import type { Changed } from './task-list.ts';
import type { Team } from './team.ts';

export interface NewTask {
  readonly subject: string;
  readonly description?: string;
  /** Ids of tasks that must be completed first. */
  readonly after?: readonly string[];
}

/** Rejects with what the file system throws, like the others. */
export async function createTask(task: NewTask, team: Team, by: LiveAgent): Promise<Answer<Task>> {
  const { subject, description = '', after = [] } = task;
  const id = await team.tasks.reserve();
  return changeAsked('TaskCreated', { kind: 'create', id, subject, description, after }, team, by);
}

/** @param owner who `by` is in the team */
export function completeTask(id: string, team: Team, by: LiveAgent, owner: string): Promise<Answer<Task>> {
  return changeAsked('TaskCompleted', { kind: 'complete', id, by: owner }, team, by);
}

export async function changeTask(change: TaskChange, team: Team): Promise<Answer<Task>> {
  return answered(await team.tasks.change(change));
}

/** Judged twice: so that no hook is asked about what cannot be, and nothing is written that no longer can. */
async function changeAsked(
  event: 'TaskCreated' | 'TaskCompleted',
  change: TaskChange,
  team: Team,
  by: LiveAgent,
): Promise<Answer<Task>> {
  const foreseen = await team.tasks.foresee(change);
  if (foreseen.kind === 'refused') return foreseen;
  const { id, subject, description, status, owner } = foreseen.task;
  const asked = await by.scope.engine.dispatch(
    event,
    { task_id: id, subject, description, status, owner, team: team.name },
    by.agent.dispatchContext(),
  );
  const no = refusalOf(asked);
  return no === undefined ? changeTask(change, team) : refused(no);
}

function answered(changed: Changed): Answer<Task> {
  return changed.kind === 'changed' ? done(changed.task) : changed;
}
