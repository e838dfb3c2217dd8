// `/setup`: the wizard, with the terminal to itself.
import type { Command } from './command.ts';

export const setup: Command = {
  name: 'setup',
  onScreen: true,
  summary: 'choose model, key, mode and the like, a question each',
  async run({ setUp, say }) {
    const end = await setUp();
    switch (end.kind) {
      case 'done':
        say('plain', `Setup is done. ${whatCounts}`);
        break;
      case 'failed':
        say('plain', `Setup is done as far as it could be. ${whatCounts}`);
        break;
      case 'left':
      case 'refused':
        say('plain', `Setup was not done: ${end.why}.`);
    }
  },
};

const whatCounts = 'A key counts at once, everything else from the next session on: /new opens one.';
