// `codey mcp add`: writes one server into a settings file.
import { parseDefinition } from '@codey/agent';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { exitCodes, StartError } from '../start/exit.ts';
import type { World } from '../start/world.ts';
import { anyEnvironment } from './any-environment.ts';
import { changeSetting } from './change-settings.ts';
import { findRoot } from '../start/find-root.ts';
import { refuseToAgents } from '../start/refuse-to-agents.ts';

type Add = Extract<NamedCommandLine, { command: 'mcp add' }>;

/** What a session would start is decided by a person, so it refuses inside one. */
export async function mcpAdd({ arguments: given, flags }: Add, world: World): Promise<number> {
  refuseToAgents('codey mcp add');
  const definition = definitionOf(given.command, flags);
  const parsed = parseDefinition(given.name, definition, {
    place: '',
    fromRepository: false,
    environment: anyEnvironment,
  });
  if (parsed.kind === 'problem')
    throw new StartError(`the MCP server ${given.name} was not added: ${parsed.message}`);
  const scope = flags.scope ?? 'user';
  const written = await changeSetting(
    { scope, path: ['mcpServers', given.name], value: definition },
    await findRoot(flags.cwd, world),
    world,
  );
  world.stdout.write(
    written.kind === 'unchanged'
      ? `${given.name} stands in ${written.file} like this already.\n`
      : `${given.name} was written to ${written.file}. Sessions that start from now on have it.\n`,
  );
  if (scope !== 'user')
    world.notices.note('what a project’s settings start is reviewed first: codey hooks trust');
  return exitCodes.done;
}

function definitionOf([command, ...args]: readonly string[], { url, header, env }: Add['flags']): object {
  const variables = pairs(env, '=', '--env NAME=value');
  const headers = pairs(header, ':', '--header "name: value"');
  if (url !== undefined) {
    if (env.length > 0)
      throw new StartError('--env is for a server that is started; one with --url has --header');
    return { url, ...(header.length > 0 && { headers }) };
  }
  if (header.length > 0)
    throw new StartError('--header is for a server with --url; one that is started has --env');
  return { command, ...(args.length > 0 && { args }), ...(env.length > 0 && { env: variables }) };
}

function pairs(texts: readonly string[], separator: string, form: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      if (at < 1) throw new StartError(`${JSON.stringify(text)} must have the form ${form}`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}
