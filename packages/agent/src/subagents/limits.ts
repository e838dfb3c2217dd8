// How many agents one session may have: enough for any plan a person could follow, few enough to notice a runaway.

/** The main agent is 0, what it starts 1; the deepest may start none. */
export const deepest = 3;
/** At work at the same moment. */
export const mostAtOnce = 64;
/** Over the whole session. */
export const mostEver = 1_000;

/** Why another one may not be started; undefined where it may. The sentence is for whoever wanted it. */
export function limitReached(now: {
  readonly depth: number;
  readonly working: number;
  readonly ever: number;
}): string | undefined {
  if (now.depth > deepest)
    return `agents may be started ${deepest} deep, and this one would be deeper: do the work yourself`;
  if (now.working >= mostAtOnce)
    return `${mostAtOnce} agents are at work, which is the most at once: wait for one with agent_result`;
  if (now.ever >= mostEver)
    return `this session has started ${mostEver} agents, which is the most it may: do the work yourself`;
  return undefined;
}
