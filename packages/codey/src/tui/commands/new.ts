// `/new`: another session in a tab of its own.
import type { Command } from './command.ts';

export const newCommand: Command = {
  name: 'new',
  onScreen: true,
  summary: 'open another session in a tab of its own',
  run: (context) => context.openTab(),
};
