// The stage of one's own project: a copy of its files, its hooks as they are, its trust judged where it stands.
import { mkdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { type HookDefinition, isInside, type TrustCheck } from '@codey/hooks';
import { chooseModel } from '../../start/model.ts';
import type { Project } from '../../start/project.ts';
import type { World } from '../../start/world.ts';
import { copyProject } from './copy-project.ts';
import type { Stage } from './stage.ts';

/** What reaches beyond this machine, or costs money. */
export const farReaching: readonly HookDefinition['handler']['type'][] = ['http', 'prompt', 'agent'];

export interface ProjectStageOptions {
  readonly folder: string;
  readonly project: Project;
  readonly world: World;
  /** Run the far-reaching ones too. */
  readonly live: boolean;
  readonly flags: readonly string[];
}

/** Hooks inherit the real HOME, since the user's own may lie there; the session keeps its files in the stage. */
export async function buildProjectStage(options: ProjectStageOptions): Promise<Stage> {
  const { folder, project, world, live, flags } = options;
  const copy = join(folder, basename(project.root) || 'project');
  const home = join(folder, 'home');
  await Promise.all([copy, home].map((directory) => mkdir(directory, { recursive: true })));
  const covered = await project.trust.coveredPaths();
  await copyProject(
    project.root,
    copy,
    covered.filter((file) => isInside(file, [project.root])),
  );
  const cwd = join(copy, relative(project.root, project.cwd));
  await mkdir(cwd, { recursive: true });
  return {
    folder,
    workspace: cwd,
    home,
    environment: world.environment,
    flags,
    openProject: async ({ model }) => ({
      ...(live ? project : withoutServers(project)),
      root: copy,
      cwd,
      settings: { ...project.settings, ...(model !== undefined && { model }) },
      snapshot: {
        ...project.snapshot,
        policy: project.snapshot.policy.map((hook) => askingRealModel(hook, project, world)),
        switches: { ...project.snapshot.switches, notRehearsed: live ? [] : farReaching },
      },
      trust: judgedAt(project, copy),
    }),
  };
}

/** The session's model is a script, which has no answer for a hook. */
function askingRealModel(
  hook: HookDefinition,
  { settings }: Project,
  { environment }: World,
): HookDefinition {
  const { handler } = hook;
  if ((handler.type !== 'prompt' && handler.type !== 'agent') || handler.model !== undefined) return hook;
  const model = chooseModel(settings, environment);
  return model === undefined ? hook : { ...hook, handler: { ...handler, model } };
}

/** MCP servers are programs of others, with networks and data of their own. */
function withoutServers(project: Project): Project {
  const { loaded, plugins } = project;
  const files = loaded.files.map((file) => ({ ...file, values: { ...file.values, mcpServers: {} } }));
  return {
    ...project,
    loaded: { ...loaded, files },
    plugins: plugins.map((plugin) => ({ ...plugin, servers: { ...plugin.servers, servers: {} } })),
  };
}

/** The same answers as in the project itself: the files a hook names are looked at there, not in the copy. */
function judgedAt({ root, loaded, trust }: Project, copy: string): TrustCheck {
  return {
    ...trust,
    check: (hook) => trust.check(hook),
    agreed: ({ file }) => loaded.files.some((original) => original.file === file && trust.agreed(original)),
    async coveredPaths() {
      const paths = await trust.coveredPaths();
      return paths.map((file) => (isInside(file, [root]) ? join(copy, relative(root, file)) : file));
    },
  };
}
