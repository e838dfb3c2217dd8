// Finds the skills of a user and a project on disk.
import { join } from 'node:path';
import { failureReason, isInside, promptFiles } from '@codey/hooks';
import { parseSkill } from './parse.ts';
import type { LoadedSkill, Skill, SkillProblem } from './skill.ts';

const { readdir, readFile, realpath, stat } = promptFiles;

export interface LoadSkillsOptions {
  /** Real path. */
  readonly projectRoot: string;
  /** Absent where there is no home directory: then there are no personal skills. */
  readonly home?: string;
  /** Folders to be read behind all others, such as those of plugins. */
  readonly also?: readonly SkillPlace[];
}

export interface FoundSkills {
  /** One for each name, in the order in which they were found. */
  readonly skills: readonly Skill[];
  /** Skills that were skipped, and hooks of skills that were. */
  readonly problems: readonly SkillProblem[];
}

/** Bytes of a SKILL.md; one that is read in a conversation has a hundredth of it. */
export const skillSizeLimit = 256 * 1024;

/** Where people keep skills for every agent they use; also where the setup wizard writes. */
export function personalSkills(home: string): string {
  return join(home, '.agents', 'skills');
}

/**
 * Never rejects: a skill that cannot be used is named and skipped. Personal skills come before those of the repository,
 * and the first of a name counts, so that no repository can put its own in the place of one the user knows.
 */
export async function loadSkills(options: LoadSkillsOptions): Promise<FoundSkills> {
  const skills = new Map<string, Skill>();
  const problems: SkillProblem[] = [];
  const seen = new Set<string>();
  for (const place of skillPlaces(options)) {
    for (const directory of await skillFolders(place.folder, problems)) {
      const real = await realpath(directory).catch(() => directory);
      // One folder reached twice, through a link for each agent, is one skill.
      if (seen.has(real)) continue;
      seen.add(real);
      const loaded = await loadSkill({ ...place, directory });
      if (!loaded.ok) {
        problems.push({ file: join(directory, skillFile), message: loaded.message });
        continue;
      }
      problems.push(...loaded.warnings);
      const earlier = skills.get(loaded.skill.name);
      if (earlier === undefined) skills.set(loaded.skill.name, loaded.skill);
      else {
        problems.push({
          file: loaded.skill.file,
          message: `there is already a skill of this name: ${earlier.file}`,
        });
      }
    }
  }
  return { skills: [...skills.values()], problems };
}

/** The text as it is now: a skill is read when it is used. */
export async function loadSkillBody(
  skill: Skill,
  projectRoot: string,
): Promise<{ readonly ok: true; readonly body: string } | { readonly ok: false; readonly message: string }> {
  const { directory, fromRepository } = skill;
  const loaded = await loadSkill({ directory, ...(fromRepository && { within: projectRoot }) });
  if (!loaded.ok) return loaded;
  return { ok: true, body: loaded.body };
}

export const skillFile = 'SKILL.md';

export interface SkillPlace {
  readonly folder: string;
  /** The repository that supplies it: nothing is read from outside of it. Absent for the user's own. */
  readonly within?: string;
}

function skillPlaces({ projectRoot, home, also = [] }: LoadSkillsOptions): readonly SkillPlace[] {
  const personal =
    home === undefined
      ? []
      : [personalSkills(home), join(home, '.codey/skills'), join(home, '.koder/skills')];
  return [
    ...personal.map((folder) => ({ folder })),
    ...['.codey/skills', '.koder/skills'].map((folder) => ({
      folder: join(projectRoot, folder),
      within: projectRoot,
    })),
    ...also,
  ];
}

/** Folders and links to folders, by name. */
async function skillFolders(folder: string, problems: SkillProblem[]): Promise<readonly string[]> {
  let names: readonly string[];
  try {
    names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      problems.push({ file: folder, message: `no skills are read from here: ${failureReason(error)}` });
    }
    return [];
  }
  const folders: string[] = [];
  for (const name of names) {
    const facts = await stat(join(folder, name)).catch(() => undefined);
    if (facts?.isDirectory() === true) folders.push(join(folder, name));
  }
  return folders;
}

async function loadSkill(place: {
  readonly directory: string;
  readonly within?: string;
}): Promise<({ readonly ok: true } & LoadedSkill) | { readonly ok: false; readonly message: string }> {
  const { directory, within } = place;
  const file = join(directory, skillFile);
  try {
    if (within !== undefined && !isInside(await realpath(file), [within])) {
      return { ok: false, message: 'it leads out of the repository' };
    }
    const facts = await stat(file);
    if (!facts.isFile()) return { ok: false, message: 'it is not a regular file' };
    if (facts.size > skillSizeLimit)
      return { ok: false, message: `it is larger than ${skillSizeLimit / 1024} KiB` };
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    return await parseSkill({ text, file, directory, fromRepository: within !== undefined });
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, message: 'it is not UTF-8 text' };
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { ok: false, message: missing ? 'it is missing' : `it cannot be read: ${failureReason(error)}` };
  }
}
