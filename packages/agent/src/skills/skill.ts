// What a skill is: a folder with a SKILL.md that says when to use it and how.
import type { ParsedHooks } from '@codey/hooks';

export interface Skill {
  /** Also the name of its folder. */
  readonly name: string;
  /** What it is for and when to use it; the model chooses by it. */
  readonly description: string;
  /** Absolute path of its SKILL.md. */
  readonly file: string;
  /** Absolute path of its folder: what `*_SKILL_DIR` names, and where files its text mentions lie. */
  readonly directory: string;
  /** It came with the repository, so its hooks wait for the user's agreement. */
  readonly fromRepository: boolean;
  /** Of its frontmatter; in force only while the skill is active. */
  readonly hooks: ParsedHooks;
}

/** Something about one skill that its author should know. */
export interface SkillProblem {
  readonly file: string;
  /** Absent where it is about the whole file. */
  readonly place?: { readonly line: number; readonly column: number };
  /** One sentence without the file's name. */
  readonly message: string;
}

/** A skill as text, and whatever is wrong with single hooks of it. */
export interface LoadedSkill {
  readonly skill: Skill;
  /** Everything below the frontmatter. */
  readonly body: string;
  readonly warnings: readonly SkillProblem[];
}
