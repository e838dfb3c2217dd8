// The tools with which one agent starts others and moves: each acts in that agent's name.
import { createAgentResult } from '../tools/agent-result.ts';
import { createEnterWorktree } from '../tools/enter-worktree.ts';
import { createExitWorktree } from '../tools/exit-worktree.ts';
import { createSpawnAgent } from '../tools/spawn-agent.ts';
import type { Tool } from '../tools/tool.ts';
import type { Crew } from './crew.ts';
import type { LiveAgent } from './live-agent.ts';
import type { Subagents } from './subagents.ts';

/** `self` is read when a tool is used: an agent is made after its tools. */
export function agentTools(self: () => LiveAgent, crew: Crew, subagents: Subagents): readonly Tool[] {
  return [
    createSpawnAgent({
      types: () => [...crew.definitions.values()],
      async spawn({ type, ...request }) {
        const definition = crew.find(type);
        if (typeof definition === 'string') return { kind: 'refused', reason: definition };
        const { model } = self().agent;
        return subagents.spawn({ definition, ...request, from: { kind: 'model', model: model.id } }, self());
      },
    }),
    createAgentResult({
      wait: (name, withinMs, signal) => crew.roster.wait(name, self().agent.name, withinMs, signal),
    }),
    createEnterWorktree({ enter: (name) => self().visit.enter(name), defaultName: 'work' }),
    createExitWorktree({ exit: () => self().visit.exit() }),
  ];
}
