// Adds a member to the team, which works on its first task at once.
import * as v from 'valibot';
import { pathField, textField } from './fields.ts';
import { failed, ok } from './result.ts';
import { defaultAgentType } from './spawn-agent.ts';
import description from './team-spawn.md';
import { defineTool, type Tool } from './tool.ts';

export interface TeamSpawnPort {
  /** Never rejects. */
  readonly spawn: (request: {
    readonly name: string;
    readonly type: string;
    readonly prompt: string;
  }) => Promise<
    | { readonly kind: 'started'; readonly name: string; readonly worktree?: string }
    | { readonly kind: 'refused'; readonly reason: string }
  >;
}

export function createTeamSpawn({ spawn }: TeamSpawnPort): Tool {
  return defineTool({
    name: 'team_spawn',
    description,
    input: v.strictObject({
      name: pathField('What the member is called.'),
      prompt: v.pipe(
        textField('What it is there for and what it is to do first.'),
        v.regex(/\S/, 'must not be empty'),
      ),
      agent: v.optional(pathField('Which agent, as for spawn_agent.')),
    }),
    access: 'free',
    subject: () => ({ kind: 'none' }),
    async run({ name, prompt, agent = defaultAgentType }) {
      const spawned = await spawn({ name, prompt, type: agent });
      if (spawned.kind === 'refused') return failed(`${name} was not added: ${spawned.reason}.`);
      const place = spawned.worktree === undefined ? '' : ` in ${spawned.worktree}`;
      return ok(
        `${name} works${place}. send_message reaches it; agent_result returns what it says when it becomes idle.`,
      );
    },
  });
}
