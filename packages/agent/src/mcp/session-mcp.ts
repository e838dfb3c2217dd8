// The MCP servers as one session has them: its processes and environment, its hooks, its main agent's prompts.
import type { RunningAgent, SessionScope } from '../loop/scope.ts';
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
  readonly agent: () => RunningAgent;
  /** Absent where nobody can answer. */
  readonly forms?: FormPort;
}

export function createSessionMcp({ definitions, program, scope, agent, forms }: SessionMcpOptions): Mcp {
  const notice = (text: string): void => scope.events({ kind: 'notice', text });
  /** A server may ask between two runs as well, and then the last one's interrupt has nothing to say. */
  const askingAgent = (signal: AbortSignal): RunningAgent => {
    const main = agent();
    const stop = main.turn === null ? signal : AbortSignal.any([signal, main.signal]);
    return {
      ...main,
      signal: stop,
      dispatchContext: (call) => ({ ...main.dispatchContext(call), signal: stop }),
    };
  };
  const elicitation: ElicitPorts = {
    hooks: scope.engine,
    journal: scope.journal,
    dispatchContext: (signal) => askingAgent(signal).dispatchContext(),
    notice,
    ...(forms !== undefined && { forms }),
    wait: (message, signal, open) =>
      waitForHuman(
        askingAgent(signal),
        scope,
        { reason: 'question', message, tool: '', notification: 'elicitation' },
        open,
        () => 'answered',
      ),
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
    elicit: async (server, params, signal) =>
      (await import('./elicit.ts')).elicit(server, params, signal, elicitation),
  });
}
