// Makes a team, or opens one that is there.
import * as v from 'valibot';
import { pathField } from './fields.ts';
import { failed, ok } from './result.ts';
import description from './team-create.md';
import { defineTool, type Tool } from './tool.ts';

export interface CreateTeamPort {
  /** Never rejects. */
  readonly create: (
    team: string,
  ) => Promise<
    | { readonly kind: 'done'; readonly lead: string; readonly members: readonly string[] }
    | { readonly kind: 'refused'; readonly reason: string }
  >;
}

export function createTeamCreate({ create }: CreateTeamPort): Tool {
  return defineTool({
    name: 'team_create',
    description,
    input: v.strictObject({ team: pathField('What the team is called.') }),
    access: 'free',
    subject: () => ({ kind: 'none' }),
    async run({ team }) {
      const created = await create(team);
      if (created.kind === 'refused') return failed(`No team: ${created.reason}.`);
      const { lead, members } = created;
      const known = members.length === 0 ? '' : ` It is known to ${members.join(', ')}.`;
      return ok(
        `Team ${team} is ready, and you are ${lead} in it.${known} team_spawn adds members, task_create adds tasks.`,
      );
    },
  });
}
