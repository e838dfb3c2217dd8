// What `hooks test` asks about: one event with everything its hooks would read.
import {
  checkPayload,
  lifecycleCatalogue,
  type LifecycleEventName,
  lifecycleEventNames,
  policyCatalogue,
  type PolicyEventName,
  policyEventNames,
  suggest,
} from '@codey/hooks';
import { sampleInput } from './sample-input.ts';

type Fields = Readonly<Record<string, unknown>>;

export type Question =
  | {
      readonly kind: 'policy';
      readonly event: PolicyEventName;
      /** The event's own fields, complete. */
      readonly payload: Fields;
      /** Of the given payload what every event has, such as `permission_mode`. */
      readonly common: Fields;
    }
  | {
      readonly kind: 'lifecycle';
      readonly event: LifecycleEventName;
      /** `tool`, `reason`, `message` and so on. */
      readonly facts: Readonly<Record<string, string>>;
    };

export interface Asked {
  readonly event: string;
  readonly tool?: string;
  readonly input?: Fields;
  readonly payload?: Fields;
}

export type ReadQuestion =
  | { readonly ok: true; readonly question: Question }
  /** One sentence each. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * What is not given comes from the sample of the event, with `root` in the place of the sample's project. A payload may
 * be partial: one copied from a real session and one with a single field both work.
 */
export function readQuestion(asked: Asked, root: string): ReadQuestion {
  const { event } = asked;
  if (isPolicyEvent(event)) return policyQuestion(event, asked, root);
  if (isLifecycleEvent(event)) return lifecycleQuestion(event, asked);
  const meant = suggest(event, [...policyEventNames, ...lifecycleEventNames]);
  return no(
    `${event} is no event${meant === undefined ? '; docs/events.md lists them' : `; did you mean ${meant}?`}`,
  );
}

function policyQuestion(event: PolicyEventName, asked: Asked, root: string): ReadQuestion {
  const { tool, input, payload = {} } = asked;
  const definition = policyCatalogue[event];
  const example: Fields = inProject(definition.example, root);
  if (!('tool_name' in example) && tool !== undefined)
    return no(`${event} is about no tool, so --tool says nothing`);
  if (!definition.aboutToolCall && input !== undefined)
    return no(`${event} is about no tool call; give its fields with --payload`);
  const named = payload.event ?? payload.hook_event_name;
  if (named !== undefined && named !== event)
    return no(`the payload is one of ${written(named)}, and ${event} was asked about`);

  const call = callOf(example, asked);
  const own = { ...example, ...call, ...payload };
  const checked = checkPayload(event, own);
  if (!checked.ok)
    return { ok: false, problems: checked.problems.map((problem) => `payload of ${event}: ${problem}`) };
  const common = Object.entries(payload).filter(([key]) => !Object.hasOwn(checked.payload, key));
  return {
    ok: true,
    question: { kind: 'policy', event, payload: checked.payload, common: Object.fromEntries(common) },
  };
}

/** Another tool than the sample's gets an input of its own, so that conditions have something to look at. */
function callOf(example: Fields, { tool, input }: Asked): Fields {
  const name = tool ?? example.tool_name;
  if (typeof name !== 'string' || example.tool_input === undefined)
    return tool === undefined ? {} : { tool_name: tool };
  const same = name === example.tool_name;
  return { tool_name: name, tool_input: input ?? (same ? example.tool_input : sampleInput(name)) };
}

function lifecycleQuestion(event: LifecycleEventName, { tool, input, payload = {} }: Asked): ReadQuestion {
  if (input !== undefined) return no(`${event} carries no input; give its values with --payload`);
  const { carries, example } = lifecycleCatalogue[event];
  const known: readonly string[] = [...carries, 'agent', 'event', 'session', 'time'];
  const wrong = Object.entries({ ...payload, ...(tool !== undefined && { tool }) }).flatMap(
    ([key, value]) => {
      if (!known.includes(key) && value !== '')
        return [`${event} carries no ${key}; it has ${known.join(', ')}`];
      return typeof value === 'string'
        ? []
        : [`${key} of ${event} is a string, as every value of a lifecycle event`];
    },
  );
  if (payload.event !== undefined && payload.event !== event)
    wrong.push(`the payload is one of ${written(payload.event)}, and ${event} was asked about`);
  if (wrong.length > 0) return { ok: false, problems: wrong };
  const {
    event: _event,
    session: _session,
    time: _time,
    ...given
  } = payload as Readonly<Record<string, string>>;
  return {
    ok: true,
    question: {
      kind: 'lifecycle',
      event,
      facts: { ...example, ...given, ...(tool !== undefined && { tool }) },
    },
  };
}

function isPolicyEvent(text: string): text is PolicyEventName {
  return (policyEventNames as readonly string[]).includes(text);
}

function isLifecycleEvent(text: string): text is LifecycleEventName {
  return (lifecycleEventNames as readonly string[]).includes(text);
}

/** Where the project of the samples lies. */
const sampleRoot = '/home/you/shop';

function inProject(example: Fields, root: string): Fields {
  return Object.fromEntries(
    Object.entries(example).map(([key, value]) => [
      key,
      typeof value === 'string' && value.startsWith(`${sampleRoot}/`)
        ? root + value.slice(sampleRoot.length)
        : value,
    ]),
  );
}

/** A value out of a payload as a problem names it. */
function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function no(problem: string): ReadQuestion {
  return { ok: false, problems: [problem] };
}
