// `/setup`: the wizard, with the terminal to itself.
import type { Command } from './command.ts';

export const setup: Command = {
  name: 'setup',
  onScreen: true,
  summary: 'choose model, key, mode and the like, a question each',
  async run({ setUp, say }) {
    const end = await setUp();
    if (end.kind === 'done')
      say(
        'plain',
        'Setup is done. A key counts at once, everything else from the next session on: /new opens one.',
      );
    else say('plain', `Setup was not done: ${end.why}.`);
  },
};
