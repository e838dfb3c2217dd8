// `/hooks`: every hook, live.
import type { Command } from './command.ts';

export const hooks: Command = {
  name: 'hooks',
  summary: 'every hook with its state and last run; switch, try, review, open',
  run: (context) => context.showHooks(),
};
