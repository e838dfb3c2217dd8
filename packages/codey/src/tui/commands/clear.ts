// `/clear`: ends this conversation and begins an empty one in its place.
import type { Command } from './command.ts';

export const clear: Command = {
  name: 'clear',
  onScreen: true,
  summary: 'end this conversation and begin an empty one in this tab',
  run: (context) => context.clearTab(),
};
