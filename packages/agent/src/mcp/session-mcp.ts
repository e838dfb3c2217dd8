// The MCP servers as one session has them: its processes and environment, its hooks, the prompts of whoever calls them.
import type { AgentScope, SessionScope } from '../loop/scope.ts';
import type { Caller } from '../tools/tool.ts';
import type { ElicitPorts } from './elicit.ts';
import { waitForHuman } from '../gate/prompt.ts';
import type { ParsedDefinition } from './definition.ts';
import type { FormPort } from './form-port.ts';
import { createMcp, type Mcp } from './mcp.ts';

export interface SessionMcpOptions {
  readonly definitions: readonly ParsedDefinition[];
  readonly program: { readonly name: string; readonly version: string };
  readonly scope: SessionScope;
  /** Read when something is asked: the servers are there before the agent is. */
  readonly agent: () => AgentScope;
  /** Absent where nobody can answer. */
  readonly forms?: FormPort;
}

export function createSessionMcp({ definitions, program, scope, agent, forms }: SessionMcpOptions): Mcp {
  const notice = (text: string): void => scope.events({ kind: 'notice', text });
  /** Whoever called, while the call may still be interrupted; else the main agent. */
  const askerOf = (caller: Caller | undefined, signal: AbortSignal): Caller => {
    const { agent: asking, session } = caller ?? { agent: agent(), session: scope };
    // A server may ask between two runs as well, and then the last one's interrupt has nothing to say.
    const idle = caller === undefined && asking.turn === null;
    return {
      session,
      agent: { ...asking, signal: idle ? signal : AbortSignal.any([signal, asking.signal]) },
    };
  };
  const nameOf = (caller: Caller | undefined): string => (caller?.agent ?? agent()).name;
  const portsFor = ({ agent: asking, session }: Caller, oneOf: readonly string[]): ElicitPorts => ({
    asker: {
      agent: { name: asking.name, type: asking.type },
      // Several calls of one agent leave no doubt.
      ...(oneOf.length > 1 && { oneOf }),
    },
    hooks: session.engine,
    journal: session.journal,
    dispatchContext(signal) {
      const { signal: _interrupt, ...context } = asking.dispatchContext();
      return signal === undefined ? context : { ...context, signal };
    },
    notice,
    ...(forms !== undefined && { forms }),
    wait: (message, signal, open) =>
      waitForHuman(
        { ...asking, signal, dispatchContext: (call) => ({ ...asking.dispatchContext(call), signal }) },
        session,
        { reason: 'question', message, tool: '', notification: 'elicitation' },
        open,
        () => 'answered',
      ),
  });
  /** Leaving waits for what an interrupt leaves to be told. */
  const keepWhenInterrupted = (work: Promise<unknown>, { agent: asking, session }: Caller): void => {
    const keep = (): void => session.background(work);
    asking.signal.addEventListener('abort', keep, { once: true });
    void work.catch(() => {}).finally(() => asking.signal.removeEventListener('abort', keep));
  };
  return createMcp({
    definitions,
    program,
    cwd: scope.projectRoot,
    roots: () => [agent().workspace, ...scope.extraDirs],
    environment: scope.environment,
    withhold: () => scope.engine.snapshot.switches.withhold,
    processes: scope.processes,
    notice,
    onChange: () => {},
    // What checks forms is loaded when a server asks for the first time.
    async elicit(server, params, signal, { caller, oneOf }) {
      const asker = askerOf(caller, signal);
      const names = [...new Set(oneOf.map(nameOf))];
      const answer = import('./elicit.ts').then(({ elicit }) =>
        elicit(server, params, asker.agent.signal, portsFor(asker, names)),
      );
      keepWhenInterrupted(answer, asker);
      return answer;
    },
  });
}
