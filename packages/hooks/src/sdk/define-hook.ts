// A hook as a function: typed by its event, and asked in a test like any other function.
import type { PolicyEventName } from '../policy/catalogue.ts';
import type { WirePayload } from '../policy/payload.ts';
import type { AnswerFor } from './answers.ts';

/** Nothing returned means nothing said. A throw is a hook that failed, which by itself blocks nothing. */
export type HookHandler<Event extends PolicyEventName> = (
  event: WirePayload<Event>,
) => AnswerFor<Event> | undefined | Promise<AnswerFor<Event> | undefined>;

/** A hook written in TypeScript, for one event. */
export interface Hook<Event extends PolicyEventName = PolicyEventName> {
  readonly event: Event;
  /**
   * What the hook answers to this event; undefined where it says nothing. A test gives the fields its hook looks at. A
   * method, so that hooks of several events fit into one list.
   */
  ask(event: Partial<WirePayload<Event>>): Promise<AnswerFor<Event> | undefined>;
}

/** Declares a hook written in TypeScript. */
export function defineHook<const Event extends PolicyEventName>(
  event: Event,
  handler: HookHandler<Event>,
): Hook<Event> {
  return {
    event,
    // `async` so that a throw and a rejection are one thing.
    ask: async (payload) => handler(payload as WirePayload<Event>),
  };
}
