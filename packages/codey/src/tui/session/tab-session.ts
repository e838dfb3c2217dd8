// A session as a tab and its commands hold it, made of the program's own.
import type { LiveSession } from '@codey/agent';
import { StartError } from '../../start/exit.ts';
import type { Opened } from '../../start/session.ts';
import type { World } from '../../start/world.ts';
import type { TabPorts, TabSession } from '../ports.ts';
import { hookControl } from './hook-control.ts';
import { knownModels } from './known-models.ts';

export function tabSession(
  live: LiveSession,
  opened: Opened,
  world: World,
  { decide }: Pick<TabPorts, 'decide'>,
): TabSession {
  const { project, permissions, finish } = opened;
  let { model } = opened;
  return {
    facts() {
      const { name, cwd } = live.state();
      return {
        id: live.id,
        model: model.id,
        root: project.root,
        cwd,
        mode: permissions.current().mode,
        ...(name !== undefined && { name }),
        ...(model.contextWindow !== undefined && { contextWindow: model.contextWindow }),
      };
    },
    messages: () => live.state().messages.get('main') ?? [],
    tokens: () => live.state().usage,
    prompt: live.prompt,
    interrupt: live.interrupt,
    pause: live.pause,
    resume: live.resume,
    rename: live.rename,
    models: () => knownModels(project.settings, world.environment, model.id),
    async useModel(id) {
      try {
        model = await opened.openModel(id);
        live.useModel(model);
        return undefined;
      } catch (error) {
        if (error instanceof StartError) return error.message;
        throw error;
      }
    },
    useMode: permissions.setMode,
    shell: live.shell,
    agents: live.agents,
    surroundings: live.surroundings,
    skills: project.skills,
    plugins: project.plugins,
    hooks: hookControl({ live, project, world, decide }),
    async close(leaving) {
      await live.close(leaving);
      await finish();
    },
  };
}
