// The skills of one session: using one reads its text and puts its hooks in force until the run ends.
import type { HookEngine, HookSnapshot } from '@codey/hooks';
import { loadSkillBody } from './load.ts';
import type { Skill } from './skill.ts';

export type UsedSkill =
  /** For the model: the instructions, and where the skill's files lie. */
  | { readonly kind: 'used'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'unknown' };

export interface SkillUse {
  readonly list: readonly Skill[];
  use(name: string): Promise<UsedSkill>;
  /**
   * A prompt that begins with `/name` of a skill, as the model gets it: the skill's text, then what else was typed. Any
   * other prompt stays as it is, and so does one whose skill cannot be read: the model is told why.
   */
  expand(prompt: string): Promise<string>;
  /** The run is over, and with it the hooks of the skills it used. */
  endRun(): void;
  /** Skills whose hooks are in force, in the order of their use. */
  active(): readonly Skill[];
  /** Settings changed: the hooks of active skills stay behind the new ones. */
  rebase(snapshot: HookSnapshot): void;
}

export interface SkillUseOptions {
  readonly skills: readonly Skill[];
  readonly projectRoot: string;
  readonly engine: Pick<HookEngine, 'snapshot' | 'use'>;
}

export function createSkillUse({ skills, projectRoot, engine }: SkillUseOptions): SkillUse {
  let base = engine.snapshot;
  let active: readonly Skill[] = [];

  const put = (next: readonly Skill[]): void => {
    active = next;
    engine.use(withHooks(base, active));
  };
  const use = async (name: string): Promise<UsedSkill> => {
    const skill = skills.find((candidate) => candidate.name === name);
    if (skill === undefined) return { kind: 'unknown' };
    const loaded = await loadSkillBody(skill, projectRoot);
    if (!loaded.ok) return { kind: 'unreadable', message: loaded.message };
    // Its hooks are those it had when the session began: a change of hooks takes a new session, as everywhere.
    if (!active.includes(skill)) put([...active, skill]);
    return { kind: 'used', text: skillText(skill, loaded.body) };
  };

  return {
    list: skills,
    use,
    async expand(prompt) {
      const [, name = '', rest = ''] = /^\/([a-z0-9-]+)(?:\s+([\s\S]*))?$/.exec(prompt.trim()) ?? [];
      const used = await use(name);
      switch (used.kind) {
        case 'unknown':
          return prompt;
        case 'unreadable':
          return `${prompt}\n\n(The skill ${name} could not be read: ${used.message}.)`;
        case 'used':
          return rest.trim() === '' ? used.text : `${used.text}\n\n${rest.trim()}`;
      }
    },
    endRun() {
      if (active.length > 0) put([]);
    },
    active: () => active,
    rebase(snapshot) {
      base = snapshot;
      put(active);
    },
  };
}

function skillText({ name, directory }: Skill, body: string): string {
  return `<skill name="${name}" folder="${directory}">\n${body}\n</skill>`;
}

/** Skills rank behind everything else, in the order in which they were used. */
function withHooks(base: HookSnapshot, active: readonly Skill[]): HookSnapshot {
  if (active.length === 0) return base;
  return Object.freeze({
    ...base,
    policy: Object.freeze([...base.policy, ...active.flatMap(({ hooks }) => hooks.policy)]),
    lifecycle: Object.freeze([...base.lifecycle, ...active.flatMap(({ hooks }) => hooks.lifecycle)]),
  });
}
