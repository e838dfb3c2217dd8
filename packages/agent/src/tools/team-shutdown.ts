// Ends members of the team.
import * as v from 'valibot';
import { pathField } from './fields.ts';
import { failed, ok } from './result.ts';
import description from './team-shutdown.md';
import { defineTool, type Tool } from './tool.ts';

export interface TeamShutdownPort {
  /** Without a name: all that live in this session. Resolves when they are gone; never rejects. */
  readonly shutdown: (
    member: string | undefined,
  ) => Promise<
    | { readonly kind: 'done'; readonly value: readonly string[] }
    | { readonly kind: 'refused'; readonly reason: string }
  >;
}

export function createTeamShutdown({ shutdown }: TeamShutdownPort): Tool {
  return defineTool({
    name: 'team_shutdown',
    description,
    input: v.strictObject({ name: v.optional(pathField('The member; all of them if left out.')) }),
    access: 'free',
    subject: () => ({ kind: 'none' }),
    async run({ name }) {
      const ended = await shutdown(name);
      if (ended.kind === 'refused') return failed(`Nobody was ended: ${ended.reason}.`);
      return ok(ended.value.length === 0 ? 'No member was alive.' : `Ended: ${ended.value.join(', ')}.`);
    },
  });
}
