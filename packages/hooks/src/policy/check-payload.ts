// Whether a value can be the payload of an event: for hosts and tools that get one from outside.
import * as v from 'valibot';
import { policyCatalogue, type PolicyEventName, type PolicyPayload } from './catalogue.ts';
import type { PolicyEventDefinition } from './define-event.ts';

/** A payload that fits its event, or sentences on what does not. */
export type CheckedPayload<Event extends PolicyEventName> =
  | { readonly ok: true; readonly payload: PolicyPayload<Event> }
  /** Each `field: what is wrong with it`. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Looks at the event's own fields; the common ones, and any other, are left alone and left behind. */
export function checkPayload<Event extends PolicyEventName>(
  event: Event,
  fields: Readonly<Record<string, unknown>>,
): CheckedPayload<Event> {
  const definition: PolicyEventDefinition = policyCatalogue[event];
  const checked = v.safeParse(v.object(definition.payload), fields);
  return checked.success
    ? { ok: true, payload: checked.output as PolicyPayload<Event> }
    : { ok: false, problems: checked.issues.map(sayIssue) };
}

function sayIssue(issue: v.BaseIssue<unknown>): string {
  const field = issue.path?.map(({ key }) => String(key)).join('.') ?? 'payload';
  if (issue.received === 'undefined') return `${field}: it is missing`;
  return `${field}: it is ${issue.received}, where ${issue.expected ?? issue.type} is expected`;
}
