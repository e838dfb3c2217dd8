// All agents of one session beside the main one: who may join, under which name, and what the log says of them.
import type { Provenance } from '../session/entry.ts';
import { copiedEntries } from './copy-conversation.ts';
import type { AgentDefinition } from './definition.ts';
import { limitReached } from './limits.ts';
import type { LiveAgent } from './live-agent.ts';
import { createNames, isAgentName } from './names.ts';
import { createRoster, type Roster } from './roster.ts';
import { type AgentWorld, type StartedAgent, startAgent } from './start-agent.ts';
import { suggest } from '@codey/hooks';

export interface JoinRequest {
  readonly definition: AgentDefinition;
  /** What it is called; by its type if left out. A number is added where the name was given before. */
  readonly name?: string;
  /** What it is to do first. */
  readonly prompt: string;
  readonly from: Provenance;
  /** It knows the conversation of its parent: `before` the prompt, or the `whole` of it, which ends with the prompt. */
  readonly context?: 'before' | 'whole';
  /** Also where its definition does not ask for it. */
  readonly isolated?: boolean;
  readonly team?: Membership;
  /** A member of a team: the same one again if it was there before, under the same name and with what it knew. */
  readonly keepsName?: boolean;
}

/** The team an agent is a member of, and what its starter is called there. */
export interface Membership {
  readonly name: string;
  readonly starter: string;
}

export interface Joined {
  readonly kind: 'joined';
  readonly name: string;
  readonly live: LiveAgent;
  /** Path of its worktree, if it has one. */
  readonly worktree?: string;
  /** Lets everything it held go; returns what it leaves behind, in half sentences. */
  readonly leave: () => Promise<readonly string[]>;
}

export type JoinOutcome = Joined | { readonly kind: 'refused'; readonly reason: string };

export interface Crew {
  readonly roster: Roster;
  readonly definitions: ReadonlyMap<string, AgentDefinition>;
  /** A sentence that names the ones there are, for a type there is none of. */
  find(type: string): AgentDefinition | string;
  /** The agent is in the roster as working, and its prompt in its conversation. Never rejects. */
  join(request: JoinRequest, parent: LiveAgent): Promise<JoinOutcome>;
}

export interface CrewOptions {
  readonly world: AgentWorld;
  readonly definitions: ReadonlyMap<string, AgentDefinition>;
  /** True from the moment the session is being closed. */
  readonly closing: () => boolean;
}

export function createCrew({ world, definitions, closing }: CrewOptions): Crew {
  const { stored } = world;
  const roster = createRoster();
  const names = createNames(stored.state().agents);
  let starting = 0;

  async function start(request: JoinRequest, name: string, parent: LiveAgent): Promise<StartedAgent> {
    const { definition } = request;
    starting += 1;
    try {
      const isolated = request.isolated ?? definition.isolation === 'worktree';
      const started = await startAgent(
        { name, definition, parent, isolated, ...(request.team !== undefined && { team: request.team }) },
        world,
      );
      if (started.kind === 'refused' || !(closing() || parent.agent.signal.aborted)) return started;
      await started.release();
      return { kind: 'refused', reason: 'interrupted before it could begin' };
    } finally {
      starting -= 1;
    }
  }

  return {
    roster,
    definitions,
    find(type) {
      const definition = definitions.get(type);
      if (definition !== undefined) return definition;
      const likely = suggest(type, definitions.keys());
      const help =
        likely === undefined ? `there are ${[...definitions.keys()].join(', ')}` : `did you mean ${likely}?`;
      return `there is no agent "${type}" (${help})`;
    },
    async join(request, parent) {
      const { definition, prompt, from, team } = request;
      const refused = (reason: string) => ({ kind: 'refused', reason }) as const;
      if (closing()) return refused('the session is being closed');
      if (request.name !== undefined && !isAgentName(request.name)) {
        return refused(
          `"${request.name}" cannot be the name of an agent: letters, digits, - and _, at most 40, a letter first`,
        );
      }
      const reached = limitReached({
        depth: parent.depth + 1,
        working: roster.working() + starting,
        ever: names.count(),
      });
      if (reached !== undefined) return refused(reached);
      const wanted = request.name ?? definition.name;
      const again = request.keepsName === true;
      if (again && roster.isThere(wanted))
        return refused(`an agent of this session is called ${wanted}; choose another name`);
      const name = again ? names.keep(wanted) : names.give(wanted);
      const started = await start(request, name, parent);
      if (started.kind === 'refused') {
        if (!again) names.takeBack(name);
        return started;
      }
      const { live, worktree, contexts, release } = started;
      stored.append({ kind: 'agent', agent: name, type: definition.name, state: 'started' });
      if (request.context !== undefined) {
        for (const entry of copiedEntries(parent.agent.messages(), name)) stored.append(entry);
      }
      if (request.context !== 'whole') stored.append({ kind: 'prompt', agent: name, text: prompt, from });
      live.agent.addContexts(contexts, 'SubagentStart');
      roster.join({
        name,
        type: definition.name,
        parent: parent.agent.name,
        task: prompt,
        cancel: () => live.agent.interrupt(new Error('cancelled')),
        ...(team !== undefined && { team: team.name }),
        ...(worktree !== undefined && { worktree: worktree.path }),
      });
      return {
        kind: 'joined',
        name,
        live,
        ...(worktree !== undefined && { worktree: worktree.path }),
        async leave() {
          const notes = await release();
          // There is no next turn that they could come with.
          live.scope.engine.takeLateContexts(name);
          stored.append({ kind: 'agent', agent: name, type: definition.name, state: 'gone' });
          return notes;
        },
      };
    },
  };
}
