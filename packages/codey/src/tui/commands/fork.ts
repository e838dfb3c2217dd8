// `/fork`: an agent like the main one does something on the side.
import { parseFork } from '@codey/agent';
import type { Command } from './command.ts';
import { saySpawned } from './spawned.ts';

export const fork: Command = {
  name: 'fork',
  summary: 'let an agent like this one do something on the side, with --context from this conversation',
  argument: '[--context] <prompt>',
  complete: () => [{ value: '--context ', label: '--context', detail: 'it begins with this conversation' }],
  async run({ session, say }, argument) {
    if (session === undefined) return say('plain', 'The session is not open.');
    const command = parseFork(`/fork ${argument}`);
    if (command === undefined)
      return say('error', 'Write what it shall do behind it: /fork find the flaky test');
    saySpawned(await session.agents.fork(command), say);
  },
};
