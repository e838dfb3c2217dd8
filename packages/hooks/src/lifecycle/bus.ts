// Carries lifecycle events from the agents of one session to whoever listens.
import type { LifecycleEvent } from './catalogue.ts';
import { type LifecycleFacts, lifecycleEvent } from './event.ts';

/** Told at once, in the order of publishing. What it throws is reported and changes nothing. */
export type LifecycleWatcher = (event: LifecycleEvent) => void;

/**
 * Told one event at a time per agent, and the publishing agent waits for it. Must end by itself: the command listener
 * gives each command its deadline.
 */
export type LifecycleHolder = (event: LifecycleEvent) => Promise<void>;

/** Tells listeners what happened; none of them can change it. */
export interface LifecycleBus {
  /**
   * Publishes an event. Watchers have been told when it returns; the promise resolves when the holders are done with
   * this agent's events up to this one. An agent that must not wait leaves the promise alone: the next event of the
   * same agent still reaches the holders after this one.
   */
  emit(facts: LifecycleFacts): Promise<void>;
  /** Returns the way to stop watching. */
  watch(watcher: LifecycleWatcher): () => void;
  hold(holder: LifecycleHolder): () => void;
}

export interface LifecycleBusPorts {
  readonly date: () => Date;
  /** A listener threw: a defect of the listener, never of the run. */
  readonly onListenerError: (error: unknown) => void;
}

/**
 * Carries lifecycle events to listeners, one event of an agent after another. A listener that fails disturbs
 * neither the others nor the run.
 */
export function createLifecycleBus(ports: LifecycleBusPorts): LifecycleBus {
  const watchers = new Set<LifecycleWatcher>();
  const holders = new Set<LifecycleHolder>();
  const tails = new Map<string, Promise<void>>();

  const tellHolders = async (event: LifecycleEvent): Promise<void> => {
    for (const holder of holders) {
      try {
        await holder(event);
      } catch (error) {
        ports.onListenerError(error);
      }
    }
  };

  return {
    emit(facts) {
      const event = lifecycleEvent(facts, ports.date());
      for (const watcher of watchers) {
        try {
          watcher(event);
        } catch (error) {
          ports.onListenerError(error);
        }
      }
      if (holders.size === 0) return Promise.resolve();
      const agent = `${event.session}\n${event.agent}`;
      const tail = (tails.get(agent) ?? Promise.resolve()).then(() => tellHolders(event));
      tails.set(agent, tail);
      void tail.then(() => {
        if (tails.get(agent) === tail) tails.delete(agent);
      });
      return tail;
    },
    watch: (watcher) => addTo(watchers, watcher),
    hold: (holder) => addTo(holders, holder),
  };
}

function addTo<T>(set: Set<T>, value: T): () => void {
  set.add(value);
  return () => void set.delete(value);
}
