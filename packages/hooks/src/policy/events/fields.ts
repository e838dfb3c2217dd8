// Payload fields that several events share, said once.
import * as v from 'valibot';

export const toolName = () =>
  v.pipe(v.string(), v.description('Name of the tool, for instance `run_shell`.'));

export const toolInput = () =>
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.readonly(),
    v.description('Input of the call, as the tool gets it.'),
  );

export const toolCallId = () =>
  v.exactOptional(
    v.pipe(
      v.string(),
      v.description('Id of the call, the same in every event about it. Left out by a host that has none.'),
    ),
  );

export const agentId = () =>
  v.pipe(
    v.string(),
    v.description('Name of the agent, unique in the session: `main`, `reviewer`, `reviewer-2`.'),
  );

export const agentType = () =>
  v.pipe(
    v.string(),
    v.description('Type of the agent, for instance `main` or the name of an agent definition.'),
  );

export const stopHookActive = () =>
  v.pipe(
    v.boolean(),
    v.description('True once a hook of this event has sent the agent back to work in this run.'),
  );

export const stopHookCount = () =>
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.description(
      'How often hooks of this event have sent the agent back in this run. The eighth time ends the run.',
    ),
  );

export const compactionTrigger = () =>
  v.pipe(
    v.picklist(['manual', 'auto']),
    v.description(
      '`manual` for `/compact`, `auto` when the program found the context too full, or the provider refused it as too long.',
    ),
  );

export const tokensBefore = () => count('Tokens of the conversation before it was compacted.');
export const messagesBefore = () => count('Messages of the conversation before it was compacted.');
export const tokensAfter = () => count('Tokens that are left of it.');
export const messagesAfter = () => count('Messages that are left of it.');

/** A task as it is after the change. */
export const taskFields = () => ({
  task_id: v.pipe(v.string(), v.description('Id of the task, unique in its team.')),
  subject: v.pipe(v.string(), v.description('The task in one line.')),
  description: v.pipe(v.string(), v.description('What is to be done; may be empty.')),
  status: v.pipe(
    v.string(),
    v.description('Status after the change, for instance `pending` or `completed`.'),
  ),
  owner: v.pipe(
    v.nullable(v.string()),
    v.description('Name of the agent it is assigned to; null while nobody has it.'),
  ),
  team: v.pipe(v.string(), v.description('Name of the team it belongs to.')),
});

export const worktreePath = () => v.pipe(v.string(), v.description('Absolute path of the worktree.'));

export const elicitingServer = () => v.pipe(v.string(), v.description('Name of the MCP server that asks.'));

function count(description: string) {
  return v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description));
}
