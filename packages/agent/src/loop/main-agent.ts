// The agent a person talks to: the one whose runs the session's lifecycle tells of, and that can be paused.
import { type Agent, type AgentOptions, createAgent } from './agent.ts';
import type { Pause } from './pause.ts';

export interface MainAgentOptions extends Omit<AgentOptions, 'name' | 'type' | 'boundary'> {
  readonly pause: Pause;
  /** Before each turn: what came for it meanwhile. Never rejects. */
  readonly arrivals: () => Promise<void>;
}

export function createMainAgent({ pause, arrivals, ...options }: MainAgentOptions): Agent {
  const { stored, scope } = options;
  return createAgent({
    ...options,
    name: 'main',
    type: 'main',
    async boundary(signal, turn) {
      const place = { session: stored.id, agent: 'main', turn, reason: 'user' };
      await pause.passBoundary(signal, {
        paused: () => scope.bus.emit({ event: 'paused', ...place }),
        resumed: () => scope.bus.emit({ event: 'resumed', ...place }),
      });
      await arrivals();
    },
  });
}
