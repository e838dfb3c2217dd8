// `/quit`: closes every session and ends the program.
import type { Command } from './command.ts';

export const quit: Command = {
  name: 'quit',
  onScreen: true,
  summary: 'close every session and leave',
  run: (context) => context.quit(),
};
