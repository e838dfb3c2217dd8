// Turns the text of a SKILL.md into a skill, by the rules of agentskills.io.
import { basename } from 'node:path';
import { isObject, parseContributedHooks, type Problem } from '@codey/hooks';
import { entryOffset } from '../entry-offset.ts';
import { splitFrontmatter } from '../frontmatter.ts';
import type { LoadedSkill, Skill, SkillProblem } from './skill.ts';

export type ParsedSkill =
  | ({ readonly ok: true } & LoadedSkill)
  /** The sentence says what is wrong and, where there is one, in which line. */
  | { readonly ok: false; readonly message: string };

export interface SkillSource {
  readonly text: string;
  /** Absolute path the text was or will be read from. */
  readonly file: string;
  /** Absolute path of the skill's folder. */
  readonly directory: string;
  readonly fromRepository: boolean;
}

/** Pure and never rejects. A bad hook is left out with a warning; anything else that is wrong refuses the skill. */
export async function parseSkill(source: SkillSource): Promise<ParsedSkill> {
  const parts = splitFrontmatter(source.text);
  if (parts === undefined || parts.yaml === '') {
    return refuse(
      'it does not begin with a frontmatter: a line ---, then name and description, then a line ---',
    );
  }
  // Only here, so that who has no skills does not wait for a YAML parser.
  const yaml = await import('../model/yaml.ts');
  const lineCounter = new yaml.LineCounter();
  const document = yaml.readDocument(parts.yaml, lineCounter);
  const [broken] = document.errors;
  if (broken !== undefined) {
    return refuse(
      `its frontmatter is not YAML (line ${lineCounter.linePos(broken.pos[0]).line + parts.yamlLine - 1}): ${broken.message}`,
    );
  }
  const plain = yaml.plainValue(document);
  if (!plain.ok) return refuse(`its frontmatter ${plain.message}`);
  const fields = plain.value;
  if (!isObject(fields)) return refuse('its frontmatter must hold fields such as name and description');
  const complaint = checkName(fields.name, source.directory) ?? checkDescription(fields.description);
  if (complaint !== undefined) return refuse(complaint);
  const name = String(fields.name);
  const { hooks, warnings } = readHooks(fields.hooks, name, source, (path) => {
    const { line, col } = lineCounter.linePos(entryOffset(document, path));
    return { line: line + parts.yamlLine - 1, column: col };
  });
  const skill: Skill = {
    name,
    description: String(fields.description).trim(),
    file: source.file,
    directory: source.directory,
    fromRepository: source.fromRepository,
    hooks,
  };
  return { ok: true, skill, body: parts.body, warnings };
}

function refuse(message: string): ParsedSkill {
  return { ok: false, message };
}

function checkName(name: unknown, directory: string): string | undefined {
  if (typeof name !== 'string' || name === '') return 'its frontmatter has no "name"';
  if (name.length > 64 || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) {
    return `its name ${JSON.stringify(name.slice(0, 80))} is not one: up to 64 of a-z, 0-9 and single hyphens between them`;
  }
  const folder = basename(directory);
  return name === folder
    ? undefined
    : `its name is ${name}, but its folder is called ${folder}; both must be the same`;
}

function checkDescription(description: unknown): string | undefined {
  if (typeof description !== 'string' || description.trim() === '')
    return 'its frontmatter has no "description"';
  const { length } = description.trim();
  return length <= 1024 ? undefined : `its description has ${length} characters; at most 1024 are allowed`;
}

function readHooks(
  hooks: unknown,
  name: string,
  { file, directory, fromRepository }: SkillSource,
  placeOf: NonNullable<Parameters<typeof parseContributedHooks>[0]['placeOf']>,
): { readonly hooks: Skill['hooks']; readonly warnings: readonly SkillProblem[] } {
  if (hooks === undefined) return { hooks: { policy: [], lifecycle: [] }, warnings: [] };
  const parsed = parseContributedHooks({
    text: JSON.stringify({ hooks }),
    origin: { scope: 'skill', file, fromRepository, root: directory, contributor: name },
    placeOf,
  });
  return {
    hooks: { policy: parsed.policy, lifecycle: parsed.lifecycle },
    warnings: [
      ...parsed.problems.map((problem) =>
        skillProblem(problem, `; this entry of the skill ${name} does not count`),
      ),
      ...parsed.warnings.map((problem) => skillProblem(problem)),
    ],
  };
}

function skillProblem({ file, line, column, message, hint }: Problem, effect = ''): SkillProblem {
  const said = hint === undefined ? message : `${message}  (${hint})`;
  return { file, place: { line, column }, message: `${said}${effect}` };
}
