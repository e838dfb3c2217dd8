// Starts servers once, outside a session, to see whether they work and what they offer.
import type { ProcessHost } from '@codey/hooks';
import type { ParsedDefinition } from './definition.ts';
import { createMcp, type ListedServer, type Mcp } from './mcp.ts';
import { usageOf } from './server-prompt.ts';

export interface LookOptions {
  readonly definitions: readonly ParsedDefinition[];
  readonly program: { readonly name: string; readonly version: string };
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly withhold: readonly string[];
  readonly processes: ProcessHost;
  readonly signal: AbortSignal;
}

export interface SeenServer extends ListedServer {
  /** As a model would call them; at most as many as a model is given. */
  readonly toolNames: readonly string[];
  /** As they are typed: `/wiki:review <page>`. */
  readonly commands: readonly string[];
  /** As they are mentioned in a prompt: `@wiki:page://start`. */
  readonly mentions: readonly string[];
}

/** Nobody is asked anything: a form is declined. Rejects with the signal's reason; everything is ended again. */
export async function lookAtServers(options: LookOptions): Promise<readonly SeenServer[]> {
  const { environment, withhold, cwd, signal } = options;
  const mcp = createMcp({
    ...options,
    roots: () => [cwd],
    environment: () => environment,
    withhold: () => withhold,
    elicit: async () => ({ action: 'decline' }),
    notice: () => {},
    onChange: () => {},
    backOffMs: () => undefined,
  });
  try {
    await mcp.ready(signal);
    return mcp.servers().map((server) => {
      const ofServer = (offered: { readonly server: string }): boolean => offered.server === server.name;
      return {
        ...server,
        toolNames: mcp.toolNames(server.name),
        commands: mcp.prompts().filter(ofServer).map(sayPrompt),
        mentions: mcp
          .resources()
          .filter(ofServer)
          .map(({ uri }) => `@${server.name}:${uri}`),
      };
    });
  } finally {
    await mcp.close();
  }
}

function sayPrompt(prompt: ReturnType<Mcp['prompts']>[number]): string {
  return `/${prompt.server}:${prompt.name} ${usageOf(prompt)}`.trimEnd();
}
