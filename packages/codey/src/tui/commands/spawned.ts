// Says whether an agent that was asked for has started.
import type { Spawned } from '@codey/agent';
import type { CommandContext } from './command.ts';

export function saySpawned(spawned: Spawned, say: CommandContext['say']): void {
  if (spawned.kind === 'refused') {
    say('error', `No agent was started: ${spawned.reason}`);
    return;
  }
  const where = spawned.worktree === undefined ? '' : ` in ${spawned.worktree}`;
  say('plain', `${spawned.name} is at work${where}. /agents shows it; its result comes here.`);
}
