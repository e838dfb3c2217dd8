// Everything about agents beside the main one that a session's front end and its loop hold in their hands.
import { createHookModels, type HookModelOptions } from '../hooks/hook-models.ts';
import type { Agent } from '../loop/agent.ts';
import type { MovablePlace } from '../loop/place.ts';
import type { RunWork } from '../loop/run.ts';
import type { SessionScope } from '../loop/scope.ts';
import type { Tool } from '../tools/tool.ts';
import { createSessionTeams, type SessionTeams } from '../teams/session-teams.ts';
import { type MainTeams, teamsOfMain } from '../teams/teams-of-main.ts';
import { teamTools } from '../teams/team-tools.ts';
import { sayKept } from '../worktrees/say-kept.ts';
import { createVisit } from '../worktrees/visit.ts';
import { runWorkFor } from './addressed-run.ts';
import { agentTools } from './agent-tools.ts';
import { createCrew } from './crew.ts';
import type { AgentDefinition } from './definition.ts';
import { forkedAgent } from './definition.ts';
import type { ForkCommand } from './fork-command.ts';
import type { LiveAgent } from './live-agent.ts';
import type { AgentStatus, Returned } from './roster.ts';
import type { AgentWorld } from './start-agent.ts';
import { createSubagents, type Spawned } from './subagents.ts';
import { toolsOf } from './tools-of.ts';

/** For screens and print mode. */
export interface SessionAgents {
  /** The kinds there are, by name. */
  readonly definitions: ReadonlyMap<string, AgentDefinition>;
  /** All that work, and the latest that are gone, in the order they were started. */
  list(): readonly AgentStatus[];
  /** Told of an agent whenever something about it changes; call the result to stop. */
  watch(told: (status: AgentStatus) => void): () => void;
  /** `/peers`, in the main agent's name. */
  readonly teams: MainTeams;
  /** Starts one for the user. Its result comes to the main agent with its next run. Never rejects. */
  spawn(request: {
    readonly type: string;
    readonly prompt: string;
    readonly name?: string;
  }): Promise<Spawned>;
  /** `/fork`: the same, for an agent like the main one. Never rejects. */
  fork(command: ForkCommand): Promise<Spawned>;
  /** Ends one with all it started; false where there is none of that name. */
  cancel(name: string): boolean;
  cancelAll(): void;
  /** Resolves when none is at work any more, or when the signal fires. */
  settled(signal: AbortSignal): Promise<void>;
  /** Results nobody has asked for. They count as handed over with this call. */
  takeResults(): readonly Returned[];
}

/** For the session itself. */
export interface AgentsOfSession {
  readonly surface: SessionAgents;
  /** Tools that act in the main agent's name. */
  readonly mainTools: readonly Tool[];
  /** What the main agent's run of a prompt consists of; results that wait for it are handed over. */
  beginRun(prompt: string): RunWork;
  /** Brings mail of teams into the main agent's conversation. Never rejects. */
  takeMail(): Promise<void>;
  /** A run of the main agent is completed: mail that was brought to it is read. Never rejects. */
  endRun(): Promise<void>;
  /** Ends all of them; what they leave behind is in `pending` work of the session. */
  stop(): void;
  /** Somebody else may lead the session's teams. After all of its members are gone; never rejects. */
  leaveTeams(): Promise<void>;
  /** The main agent comes back from a worktree it is in; a sentence where that stays. */
  leaveWorktree(): Promise<string | undefined>;
}

export interface SessionAgentsOptions
  extends Pick<AgentWorld, 'stored' | 'system' | 'background' | 'worktrees' | 'maxTurns' | 'listenFor'> {
  readonly definitions: ReadonlyMap<string, AgentDefinition>;
  readonly models: HookModelOptions;
  readonly scope: SessionScope;
  /** The main agent, read when something is asked of it: it is made after its tools. */
  readonly main: () => Agent;
  readonly place: MovablePlace;
  /** `--agent`. */
  readonly answering?: string;
  readonly teamsFolder: string | undefined;
  readonly pid: number;
  readonly date: () => Date;
  readonly notice: (sentence: string) => void;
}

export function createSessionAgents(options: SessionAgentsOptions): AgentsOfSession {
  const { stored, scope, place, definitions, answering } = options;
  const visit = createVisit({
    worktrees: options.worktrees,
    place,
    asker: () => ({ hooks: scope.engine, context: options.main().dispatchContext() }),
  });
  const main = (): LiveAgent => ({ agent: options.main(), scope, place, visit, depth: 0 });
  /** Between runs nothing is interrupted any more. */
  const idleMain = (): LiveAgent => {
    if (options.main().turn === null) options.main().beginRun();
    return main();
  };
  const ownTools = (self: () => LiveAgent): readonly Tool[] => [
    ...agentTools(self, crew, subagents),
    ...teamTools(self, teams),
  ];
  const crew = createCrew({
    definitions,
    closing: scope.closing,
    world: {
      ...options,
      models: createHookModels(options.models),
      toolsOf: (parent, self, allowed) => toolsOf(parent, ownTools(self), allowed),
    },
  });
  const subagents = createSubagents({
    crew,
    stored,
    background: scope.background,
    notice: options.notice,
  });
  const { roster } = crew;
  const teams: SessionTeams = createSessionTeams({
    teamsFolder: options.teamsFolder,
    pid: options.pid,
    date: options.date,
    crew,
    stored,
    background: scope.background,
    notice: options.notice,
  });

  return {
    mainTools: ownTools(main),
    beginRun(prompt) {
      subagents.deliver('main');
      return runWorkFor(prompt, {
        crew,
        subagents,
        stored,
        main: main(),
        notice: options.notice,
        ...(answering !== undefined && { answering }),
      });
    },
    takeMail: teams.deliverToMain,
    endRun: teams.settleMain,
    leaveTeams: teams.leave,
    stop: roster.cancelAll,
    async leaveWorktree() {
      const left = await visit.exit();
      return left === undefined ? undefined : sayKept(left.worktree, left.removed);
    },
    surface: {
      definitions,
      teams: teamsOfMain(teams, idleMain),
      list: roster.list,
      watch: roster.watch,
      async spawn({ type, ...request }) {
        const definition = crew.find(type);
        if (typeof definition === 'string') return { kind: 'refused', reason: definition };
        return subagents.spawn({ definition, ...request, from: { kind: 'user' } }, idleMain());
      },
      async fork({ prompt, context }) {
        if (prompt === '')
          return { kind: 'refused', reason: 'nothing to do was said: /fork [--context] <prompt>' };
        return subagents.spawn(
          {
            definition: forkedAgent,
            prompt,
            from: { kind: 'user' },
            ...(context && { context: 'before' as const }),
          },
          idleMain(),
        );
      },
      cancel: roster.cancel,
      cancelAll: roster.cancelAll,
      settled: roster.settled,
      takeResults: () => roster.take('main'),
    },
  };
}
