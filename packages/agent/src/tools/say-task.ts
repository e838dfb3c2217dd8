// One line on a task of a team, the same wherever a model is told of one.

export interface SharedTask {
  readonly id: string;
  readonly subject: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
  readonly owner: string | null;
  readonly after: readonly string[];
}

export function sayTask({ id, subject, status, owner, after }: SharedTask): string {
  const who = owner === null ? '' : ` by ${owner}`;
  const order = after.length === 0 ? '' : `, after ${after.join(', ')}`;
  return `${id} [${status.replace('_', ' ')}${who}${order}] ${subject}`;
}
