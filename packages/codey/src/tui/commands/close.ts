// `/close`: closes the tab and its session.
import type { Command } from './command.ts';

export const close: Command = {
  name: 'close',
  onScreen: true,
  summary: 'close this tab; its session can be resumed',
  run: (context) => context.closeTab(),
};
