// The lifecycle commands of an agent's definition: told of that agent's events and of no other's.
import { createCommandListener, type HookEngine, type LifecycleBus, type LifecycleHook } from '@codey/hooks';
import type { AgentWorld } from './start-agent.ts';

type CommandListenerOptions = Parameters<typeof createCommandListener>[0];

export interface ListenOptions extends Omit<CommandListenerOptions, 'snapshot'> {
  readonly bus: LifecycleBus;
  /** Whose switches hold for these commands as well. */
  readonly engine: HookEngine;
}

export function createListenFor({ bus, engine, ...options }: ListenOptions): AgentWorld['listenFor'] {
  return (agent: string, lifecycle: readonly LifecycleHook[]) => {
    if (lifecycle.length === 0) return () => {};
    const tell = createCommandListener({
      ...options,
      snapshot: () => ({ ...engine.snapshot, policy: [], lifecycle }),
    });
    return bus.hold((event) => (event.agent === agent ? tell(event) : Promise.resolve()));
  };
}
