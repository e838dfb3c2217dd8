// The project a command stands in, opened as a session would open it.
import type { CommandName } from '../cli/commands.ts';
import { openProject, type Project, type ProjectFlags } from '../start/project.ts';
import type { World } from '../start/world.ts';

/**
 * Flags a command does not take are as if they had not been given. Throws StartError as a session's start does, in the
 * name of the command.
 */
export function openHere(flags: Partial<ProjectFlags>, world: World, command: CommandName): Promise<Project> {
  return openProject(
    {
      bare: false,
      noHooks: false,
      noProjectHooks: false,
      trustProjectHooks: false,
      allowedTools: [],
      ...flags,
    },
    world,
    `codey ${command}`,
  );
}
