// The MCP servers that would be started here, and a look at what they offer.
import { configuredServers, lookAtServers, type ParsedDefinition, type SeenServer } from '@codey/agent';
import { createProcessHost } from '@codey/hooks';
import type { Project } from '../start/project.ts';
import type { World } from '../start/world.ts';
import { version } from '../version.ts';

/** Those of an unreviewed repository are not among them: nobody has agreed to start them. */
export function serversHere(project: Project, world: World): readonly ParsedDefinition[] {
  const { loaded, plugins, settings, snapshot, trust } = project;
  return configuredServers({
    loaded,
    agreed: trust.agreed,
    environment: { ...world.environment, ...settings.env },
    withhold: snapshot.switches.withhold,
    plugins: plugins.map(({ servers }) => servers),
  });
}

/** Starts them, asks what they have, and ends them again. */
export async function lookAt(
  definitions: readonly ParsedDefinition[],
  project: Project,
  world: World,
): Promise<readonly SeenServer[]> {
  const processes = createProcessHost();
  try {
    return await lookAtServers({
      definitions,
      program: { name: 'codey', version },
      cwd: project.root,
      environment: { ...world.environment, ...project.settings.env },
      withhold: project.snapshot.switches.withhold,
      processes,
      signal: new AbortController().signal,
    });
  } finally {
    await processes.settle(3_000);
  }
}

/** `ready`, or why not, in a few words. */
export function sayStatus({ status }: SeenServer): string {
  switch (status.kind) {
    case 'failed':
    case 'reconnecting':
      return `not available: ${status.why}`;
    case 'invalid':
      return `not started: ${status.why}`;
    case 'disabled':
    case 'connecting':
    case 'ready':
    case 'closed':
      return status.kind;
  }
}
