// What every policy hook reads on stdin: the common fields, then the event's own.
import * as v from 'valibot';
import type { PermissionMode } from '../config/settings.ts';
import { policyCatalogue, type PolicyEventName, type PolicyPayload } from './catalogue.ts';
import { agentId, agentType } from './events/fields.ts';

/** Counts up when a hook written for the last one could misread a payload; added fields do not count. */
export const protocol = 1;

const permissionModes = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'bypassPermissions',
] as const satisfies readonly PermissionMode[];

/** The fields of every payload that the host knows. */
export const commonFields = () => ({
  session_id: v.pipe(v.string(), v.description('Id of the session.')),
  cwd: v.pipe(
    v.string(),
    v.description("The session's working directory. The hook itself runs in `project_dir`."),
  ),
  project_dir: v.pipe(
    v.string(),
    v.description('Root of the workspace: the project root, or the worktree of an isolated agent.'),
  ),
  transcript_path: v.pipe(v.string(), v.description('Absolute path of the session log.')),
  permission_mode: v.pipe(v.picklist(permissionModes), v.description('The permission mode in force.')),
  model: v.pipe(v.string(), v.description('The model of the agent, as on the command line.')),
  turn: v.pipe(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
    v.description('Number of the model call in its run, from 1; null outside a run.'),
  ),
  agent_id: agentId(),
  agent_type: agentType(),
  usage: v.pipe(
    v.object({
      input_tokens: v.pipe(
        v.number(),
        v.integer(),
        v.minValue(0),
        v.description('Tokens sent in this session so far.'),
      ),
      output_tokens: v.pipe(
        v.number(),
        v.integer(),
        v.minValue(0),
        v.description('Tokens received in this session so far.'),
      ),
      context_share: v.pipe(
        v.nullable(v.pipe(v.number(), v.minValue(0))),
        v.description(
          "How much of the model's window the conversation fills, 1 being all; null where its size is unknown.",
        ),
      ),
    }),
    v.description('What the session has used.'),
  ),
  timestamp: v.pipe(v.string(), v.isoTimestamp(), v.description('When it was dispatched: ISO 8601, UTC.')),
});

export type CommonFields = v.InferOutput<v.ObjectSchema<ReturnType<typeof commonFields>, undefined>>;

// A type, not an interface: only so is a payload assignable to a record.
type IdentifyingFields<Event extends string> = {
  event: Event;
  hook_event_name: Event;
  protocol: typeof protocol;
};

/** A whole payload. An own field of the event stands in for the common one of that name. */
export type WirePayload<Event extends PolicyEventName> = IdentifyingFields<Event> &
  Omit<CommonFields, keyof PolicyPayload<Event>> &
  PolicyPayload<Event>;

/**
 * Puts the keys in the order of the schema, `event` first, so that equal payloads are equal bytes. Keys the event does
 * not have are left behind, whatever object they came in.
 */
export function buildPayload<Event extends PolicyEventName>(
  event: Event,
  own: PolicyPayload<Event>,
  common: CommonFields,
): WirePayload<Event> {
  const values: Readonly<Record<string, unknown>> = {
    ...common,
    ...own,
    event,
    hook_event_name: event,
    protocol,
  };
  const payload: Record<string, unknown> = {};
  for (const key of keysOf(event)) if (values[key] !== undefined) payload[key] = values[key];
  return payload as WirePayload<Event>;
}

const knownKeys = new Map<PolicyEventName, readonly string[]>();

function keysOf(event: PolicyEventName): readonly string[] {
  const keys = knownKeys.get(event) ?? Object.keys(payloadEntries(event));
  knownKeys.set(event, keys);
  return keys;
}

/** The schema of a whole payload, field by field in their order. */
export function payloadEntries(event: PolicyEventName): v.ObjectEntries {
  const own: v.ObjectEntries = policyCatalogue[event].payload;
  const common = Object.entries(commonFields()).filter(([key]) => !Object.hasOwn(own, key));
  return { ...identifyingFields(event), ...Object.fromEntries(common), ...own };
}

/** The fields that say which event it is; the engine writes them. */
function identifyingFields<Event extends string>(event: Event) {
  return {
    event: v.pipe(v.literal(event), v.description('Name of the event.')),
    hook_event_name: v.pipe(v.literal(event), v.description('The same, under the name other agents use.')),
    protocol: v.pipe(v.literal(protocol), v.description('Version of this format.')),
  };
}
