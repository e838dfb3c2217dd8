// Starts another agent on a piece of work and goes on at once.
import * as v from 'valibot';
import { pathField, textField } from './fields.ts';
import { failed, ok } from './result.ts';
import description from './spawn-agent.md';
import { defineTool, type Tool } from './tool.ts';

export interface SpawnPort {
  /** The agents there are. */
  readonly types: () => readonly { readonly name: string; readonly description: string }[];
  /** Never rejects. */
  readonly spawn: (request: {
    readonly type: string;
    readonly prompt: string;
    readonly name?: string;
    readonly isolated?: boolean;
  }) => Promise<
    | { readonly kind: 'started'; readonly name: string; readonly worktree?: string }
    | { readonly kind: 'refused'; readonly reason: string }
  >;
}

export const defaultAgentType = 'general';

export function createSpawnAgent({ types, spawn }: SpawnPort): Tool {
  return defineTool({
    name: 'spawn_agent',
    description: `${description.trim()}\n\nAgents:\n${types().map(sayType).join('\n')}`,
    input: v.strictObject({
      prompt: v.pipe(textField('What the agent is to do and to report.'), v.regex(/\S/, 'must not be empty')),
      agent: v.optional(pathField('Which agent, by the name in the list.')),
      name: v.optional(pathField('What to call it.')),
      isolation: v.optional(v.pipe(v.picklist(['none', 'worktree']), v.description('Where it works.'))),
    }),
    access: 'free',
    subject: () => ({ kind: 'none' }),
    async run({ prompt, agent = defaultAgentType, name, isolation }) {
      const spawned = await spawn({
        type: agent,
        prompt,
        ...(name !== undefined && { name }),
        ...(isolation === 'worktree' && { isolated: true }),
      });
      if (spawned.kind === 'refused') return failed(`The agent was not started: ${spawned.reason}`);
      const place = spawned.worktree === undefined ? '' : ` in ${spawned.worktree}`;
      return ok(`Started ${spawned.name}${place}. agent_result waits for what it finds.`);
    },
  });
}

function sayType({
  name,
  description: said,
}: {
  readonly name: string;
  readonly description: string;
}): string {
  const line = said.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? `- ${name}` : `- ${name}: ${line}`;
}
