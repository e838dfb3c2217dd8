// An agent that can work: the main one, a subagent or a teammate, with what starting others from it needs.
import type { Agent } from '../loop/agent.ts';
import type { MovablePlace } from '../loop/place.ts';
import type { SessionScope } from '../loop/scope.ts';
import type { Visit } from '../worktrees/visit.ts';

export interface LiveAgent {
  readonly agent: Agent;
  /** The session as it may use it. */
  readonly scope: SessionScope;
  readonly place: MovablePlace;
  readonly visit: Visit;
  /** 0 for the main agent. */
  readonly depth: number;
}
