// `/copy`: the last answer into the clipboard.
import type { Command } from './command.ts';

export const copy: Command = {
  name: 'copy',
  onScreen: true,
  summary: 'copy the last answer (drag with the mouse to copy anything else)',
  run(context) {
    const answer = context
      .tab()
      ?.transcript.blocks.findLast((block) => block.kind === 'answer' && block.agent === 'main');
    if (answer?.kind !== 'answer') return context.say('plain', 'There is no answer to copy yet.');
    context.copy(answer.text.trim());
  },
};
