// What a session gets of its surroundings: where it was started, whose settings it saves, which servers it talks to.
import { configuredServers, type FormPort, type SurroundingsOptions } from '@codey/agent';
import { version } from '../version.ts';
import type { Project } from './project.ts';
import type { World } from './world.ts';

export interface SurroundingsFacts {
  readonly project: Pick<
    Project,
    'cwd' | 'loaded' | 'plugins' | 'settings' | 'snapshot' | 'trust' | 'watches'
  >;
  /** Of the program, with what settings add. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absent where nobody can fill in a form. */
  readonly forms?: FormPort;
}

export function surroundingsOf(
  { project, environment, forms }: SurroundingsFacts,
  { home }: Pick<World, 'home'>,
): Omit<SurroundingsOptions, 'bare'> {
  const { cwd, loaded, plugins, settings, snapshot, trust, watches } = project;
  const definitions = configuredServers({
    loaded,
    agreed: trust.agreed,
    environment,
    withhold: snapshot.switches.withhold,
    plugins: plugins.map(({ servers }) => servers),
  });
  return {
    startedIn: cwd,
    brief: settings.brief,
    watches,
    commands: plugins.flatMap(({ commands }) => commands),
    ...(home !== undefined && { home }),
    mcp: { definitions, program: { name: 'codey', version }, ...(forms !== undefined && { forms }) },
  };
}
