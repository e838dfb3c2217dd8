// What the model is told of the skills at the start: names and what they are for.
import type { Skill } from './skill.ts';

/** Part of the system prompt; empty where there is no skill. */
export function listSkills(skills: readonly Skill[]): string {
  if (skills.length === 0) return '';
  const lines = skills.map(({ name, description }) => `- ${name}: ${description.replace(/\s+/g, ' ')}`);
  return [
    'Skills are instructions for particular work. Before you do work that one of them is about, load it with get_skill and follow it.',
    '',
    '<skills>',
    ...lines,
    '</skills>',
  ].join('\n');
}
