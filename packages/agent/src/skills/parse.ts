// Turns the text of a SKILL.md into a skill, by the rules of agentskills.io.
import { basename } from 'node:path';
import { formatProblem, isObject, parseContributedHooks } from '@codey/hooks';
import type { Document, LineCounter } from 'yaml';
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
  const { hooks, warnings } = readHooks(fields.hooks, name, hooksLine(document, lineCounter), source);
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

/** Line of the `hooks` key in the file, from 1; YAML has no line of its own for every entry below it. */
function hooksLine(document: Document, lineCounter: LineCounter): number {
  const contents: unknown = document.contents;
  const items = (
    contents as { items?: readonly { key?: { value?: unknown; range?: readonly number[] } }[] } | null
  )?.items;
  const offset = items?.find(({ key }) => key?.value === 'hooks')?.key?.range?.[0];
  return offset === undefined ? 1 : lineCounter.linePos(offset).line + 1;
}

function readHooks(
  hooks: unknown,
  name: string,
  line: number,
  { file, directory, fromRepository }: SkillSource,
): { readonly hooks: Skill['hooks']; readonly warnings: readonly SkillProblem[] } {
  if (hooks === undefined) return { hooks: { policy: [], lifecycle: [] }, warnings: [] };
  const parsed = parseContributedHooks({
    text: JSON.stringify({ hooks }),
    origin: { scope: 'skill', file, fromRepository, root: directory, contributor: name },
    place: { line, column: 1 },
  });
  return {
    hooks: { policy: parsed.policy, lifecycle: parsed.lifecycle },
    warnings: [...parsed.problems, ...parsed.warnings].map((problem) => ({
      file,
      message: `of its hooks: ${formatProblem(problem).slice(`${file}:`.length)}`,
    })),
  };
}
