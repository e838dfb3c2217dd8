// Finds the agent definitions of a project and its user.
import { join } from 'node:path';
import { readSmallFile } from '../tools/open-file.ts';
import { type AgentDefinition, generalAgent } from './definition.ts';
import type { FieldOptions } from './definition-fields.ts';
import { knownTools } from './known-tools.ts';
import { parseDefinition } from './parse-definition.ts';
import { settingsDirectories, promptFiles } from '@codey/hooks';

const { readdir, realpath } = promptFiles;

export interface LoadDefinitionsOptions extends Omit<FieldOptions, 'knownTools'> {
  /** Real path. */
  readonly projectRoot: string;
  /** Absent where there is no home directory. */
  readonly home?: string;
  /** Folders to be read behind all others, such as those of plugins. */
  readonly also?: readonly DefinitionFolder[];
}

export interface DefinitionFolder {
  readonly folder: string;
  readonly fromRepository: boolean;
}

export interface LoadedDefinitions {
  /** By name; the built-in one is among them. */
  readonly definitions: ReadonlyMap<string, AgentDefinition>;
  /** Sentences for the user: what was skipped, passed over or hidden by another of the same name, and where it stands. */
  readonly notices: readonly string[];
}

/** Longer than this is no description of an agent. */
const sizeCap = 256 * 1024;

/**
 * From `.codey/agents` and `.koder/agents` of the project, then of the home directory; of two with one name the nearer
 * counts. A definition that cannot be used is named and skipped. Never rejects.
 */
export async function loadDefinitions(options: LoadDefinitionsOptions): Promise<LoadedDefinitions> {
  const definitions = new Map<string, AgentDefinition>();
  const notices: string[] = [];
  for (const { folder, fromRepository } of await folders(options)) {
    for (const name of await markdownIn(folder)) {
      const file = join(folder, name);
      const text = await readSmallFile(file, sizeCap);
      if (text === null) {
        notices.push(`${file} is not used: it cannot be read as a file of at most ${sizeCap / 1024} KiB`);
        continue;
      }
      const parsed = await parseDefinition({ file, text, fromRepository }, { ...options, knownTools });
      if (parsed.kind === 'problems') {
        notices.push(...parsed.problems.map((problem) => `${problem}; this agent is not used`));
        continue;
      }
      notices.push(...parsed.warnings);
      const { definition } = parsed;
      const first = definitions.get(definition.name);
      if (first === undefined) definitions.set(definition.name, definition);
      else
        notices.push(
          `${file} is not used: ${first.file} defines the agent ${definition.name} and comes first`,
        );
    }
  }
  if (!definitions.has(generalAgent.name)) definitions.set(generalAgent.name, generalAgent);
  return { definitions, notices };
}

/** A folder that is reached as the project's and as the user's is the user's. */
async function folders({
  projectRoot,
  home,
  also = [],
}: LoadDefinitionsOptions): Promise<readonly DefinitionFolder[]> {
  const below = (base: string) => settingsDirectories.map((name) => join(base, name, 'agents'));
  const own = home === undefined ? [] : below(home);
  const ownReal = await Promise.all(own.map((folder) => realpath(folder).catch(() => folder)));
  const project = await Promise.all(
    below(projectRoot).map(async (folder) => {
      const real = await realpath(folder).catch(() => folder);
      return ownReal.includes(real) ? [] : [{ folder, fromRepository: true }];
    }),
  );
  return [...project.flat(), ...own.map((folder) => ({ folder, fromRepository: false })), ...also];
}

async function markdownIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.md')).sort();
}
