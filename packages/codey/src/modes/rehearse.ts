// A whole session on a scripted model, in a throw-away copy: shows what hooks would do without a key or a network.
import { mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { settingsDirectories } from '@codey/hooks';
import type { NamedCommandLine } from '../cli/command-line.ts';
import { findRoot } from '../start/find-root.ts';
import { listHooks, renderHooks } from '../commands/hooks-list.ts';
import { openHere } from '../commands/open-here.ts';
import { StartError } from '../start/exit.ts';
import type { Project } from '../start/project.ts';
import type { World } from '../start/world.ts';
import { play } from './rehearsal/play.ts';
import { buildProjectStage, farReaching } from './rehearsal/project-stage.ts';
import { projectStory, sampleStory } from './rehearsal/sample.ts';
import { buildSampleStage } from './rehearsal/sample-stage.ts';
import { say } from './rehearsal/say.ts';
import type { Stage } from './rehearsal/stage.ts';
import { parseStory, type Story } from './rehearsal/story.ts';
import { refuseToAgents } from '../start/refuse-to-agents.ts';

type Rehearse = Extract<NamedCommandLine, { command: 'rehearse' }>;

/** Exit code 1 where an expectation of the story is not met, or the run of a story without any did not end well. */
export async function rehearse(commandLine: Rehearse, world: World): Promise<number> {
  const { flags, arguments: named } = commandLine;
  if (flags.trustProjectHooks) refuseToAgents('--trust-project-hooks');

  const inProject = !flags.sample && (await isProject(await findRoot(flags.cwd, world)));
  const name = named.script ?? 'the built-in story';
  const story = readStory(name, await storyText(named.script, inProject, world));
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'codey-rehearsal-')));
  try {
    const stage = inProject ? await ownStage(folder, flags, world) : await sampleStage(folder, world);
    say(world, `Prompt: ${story.prompt}\n`);
    return await play(story, name, stage, world);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Anywhere else a copy would be one of whatever lies around. */
async function isProject(root: string): Promise<boolean> {
  const marks = await Promise.all(
    ['.git', ...settingsDirectories].map((mark) => stat(join(root, mark)).catch(() => undefined)),
  );
  return marks.some((mark) => mark !== undefined);
}

async function storyText(script: string | undefined, inProject: boolean, world: World): Promise<string> {
  if (script === undefined) return inProject ? projectStory : sampleStory;
  const file = resolve(world.cwd, script);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new StartError(`the story ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function readStory(name: string, text: string): Story {
  const parsed = parseStory(name, text);
  if (!parsed.ok) throw new StartError(parsed.problems.join('\n'));
  return parsed.story;
}

async function sampleStage(folder: string, world: World): Promise<Stage> {
  const stage = await buildSampleStage(folder, world.environment);
  say(
    world,
    `Rehearsing in ${stage.workspace}: a sample project with sample hooks, a scripted model, no network.`,
  );
  return stage;
}

async function ownStage(folder: string, flags: Rehearse['flags'], world: World): Promise<Stage> {
  const project = await openHere(flags, world, 'rehearse');
  const stage = await buildProjectStage({
    folder,
    project,
    world,
    live: flags.live,
    flags: sessionFlags(flags),
  });
  say(
    world,
    `Rehearsing in a copy of ${project.root}: a scripted model whose calls run without asking, and your hooks. What they do outside the project is real.`,
  );
  say(world, '');
  say(world, renderHooks(await listHooks(project)));
  const left = flags.live ? 0 : countFarReaching(project);
  if (left > 0)
    say(
      world,
      `${left} of them ${left === 1 ? 'reaches' : 'reach'} beyond this machine and will not run; --live runs them too`,
    );
  say(world, '');
  return stage;
}

function countFarReaching({ snapshot }: Project): number {
  return snapshot.policy.filter(({ handler }) => farReaching.includes(handler.type)).length;
}

/** What of the rehearsal's flags is the session's. The project is given to it, so flags about settings have done their work. */
function sessionFlags({
  noHooks,
  noProjectHooks,
  trustProjectHooks,
  bare,
  permissionMode,
}: Rehearse['flags']): readonly string[] {
  return [
    ...(noHooks ? ['--no-hooks'] : []),
    ...(noProjectHooks ? ['--no-project-hooks'] : []),
    ...(trustProjectHooks ? ['--trust-project-hooks'] : []),
    ...(bare ? ['--bare'] : []),
    ...(permissionMode === undefined ? [] : ['--permission-mode', permissionMode]),
  ];
}
