// The project a command stands in, opened as a session would open it.
import { openProject, type Project, type ProjectFlags } from '../start/project.ts';
import type { World } from '../start/world.ts';

/** Flags a command does not take are as if they had not been given. Throws StartError as a session's start does. */
export function openHere(flags: Partial<ProjectFlags>, world: World): Promise<Project> {
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
  );
}
