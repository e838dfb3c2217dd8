// `/skills`: what the agent has instructions for; each is also a command of its own name.
import type { Command } from './command.ts';
import { table } from './table.ts';

export const skills: Command = {
  name: 'skills',
  summary: 'skills; /name uses one',
  run({ session, say, reply }) {
    if (session === undefined) return say('plain', 'The session is not open.');
    if (session.skills.length === 0)
      return say('plain', 'There are no skills here. They lie in .codey/skills/<name>/SKILL.md.');
    reply(
      'Skills',
      table(
        session.skills.map(({ name, description, fromRepository }) => [
          `/${name}`,
          `${description.replace(/\s+/g, ' ')}${fromRepository ? ' (of this repository)' : ''}`,
        ]),
      ),
    );
  },
};
