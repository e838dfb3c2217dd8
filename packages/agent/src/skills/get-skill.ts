// Gives the model a skill's instructions when it needs them.
import * as v from 'valibot';
import { textField } from '../tools/fields.ts';
import { failed, ok } from '../tools/result.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import description from './get-skill.md';
import type { SkillUse } from './use.ts';
import { suggest } from '@codey/hooks';

const input = v.strictObject({ name: textField('Name of the skill, as listed.') });

export function createGetSkill(skills: SkillUse): Tool {
  return defineTool({
    name: 'get_skill',
    description,
    input,
    access: 'free',
    subject: () => ({ kind: 'none' }),
    async run({ name }) {
      const used = await skills.use(name);
      switch (used.kind) {
        case 'used':
          return ok(used.text);
        case 'unreadable':
          return failed(`The skill ${name} cannot be used: ${used.message}.`);
        case 'unknown': {
          const names = skills.list.map((skill) => skill.name);
          const likely = suggest(name, names);
          if (likely !== undefined) return failed(`There is no skill ${name}. Did you mean ${likely}?`);
          return failed(
            names.length === 0
              ? 'There are no skills here.'
              : `There is no skill ${name}. There are: ${names.join(', ')}.`,
          );
        }
      }
    },
  }) as Tool;
}
