// Which MCP servers a session has: those of the user, of a reviewed repository, and of enabled plugins.
import { basename } from 'node:path';
import type { LoadedSettings, SettingsFile } from '@codey/hooks';
import { agreedFiles, isOfRepository } from '../settings/agreed-files.ts';
import { type ParsedDefinition, parseDefinition } from './definition.ts';

export interface ContributedServers {
  /** Name of the plugin. */
  readonly contributor: string;
  readonly fromRepository: boolean;
  readonly servers: Readonly<Record<string, unknown>>;
  /** Further values for `${NAME}`, such as the plugin's root. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface ConfiguredOptions {
  readonly loaded: LoadedSettings;
  /** Whether the user agreed to what this file of the repository sets. */
  readonly agreed: (file: SettingsFile) => boolean;
  readonly environment: Readonly<Record<string, string>>;
  /** Variables that a repository's servers neither get nor may name. */
  readonly withhold: readonly string[];
  readonly plugins?: readonly ContributedServers[];
}

/**
 * One definition a name: the strongest file that has it counts, as with every other setting. A plugin's server is called
 * `plugin-server`, so that it takes nobody's place.
 */
export function configuredServers(options: ConfiguredOptions): readonly ParsedDefinition[] {
  const { loaded, agreed, environment, withhold, plugins = [] } = options;
  const withheld = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !withhold.includes(name)),
  );
  const found = new Map<string, ParsedDefinition>();
  for (const file of agreedFiles(loaded, agreed)) {
    const fromRepository = isOfRepository(file);
    const origin = {
      place: basename(file.file),
      fromRepository,
      environment: fromRepository ? withheld : environment,
    };
    for (const [name, value] of Object.entries(file.values.mcpServers ?? {})) {
      found.set(name, parseDefinition(name, value, origin));
    }
  }
  for (const { contributor, fromRepository, servers, variables } of plugins) {
    const known = fromRepository ? withheld : environment;
    for (const [name, value] of Object.entries(servers)) {
      const whole = `${contributor}-${name}`;
      if (found.has(whole)) continue;
      found.set(
        whole,
        parseDefinition(whole, value, {
          place: `plugin ${contributor}`,
          fromRepository,
          environment: { ...known, ...variables },
        }),
      );
    }
  }
  return [...found.values()];
}
