// `/pause`: holds the agent at the next turn boundary, or lets it go on.
import type { Command } from './command.ts';

export const pause: Command = {
  name: 'pause',
  onScreen: true,
  summary: 'hold the agent between two turns, or let it go on',
  run: (context) => context.togglePause(),
};
