// Whether agents that still work may end with the program.
import { nameAgents } from '../state/at-work.ts';
import type { CommandContext } from './command.ts';

/** Asks the user only where somebody works. Without an answer they go on. */
export async function mayEnd(atWork: readonly string[], choose: CommandContext['choose']): Promise<boolean> {
  if (atWork.length === 0) return true;
  const title = `${nameAgents(atWork)} at work would end. Leave?`;
  return (await choose(title, choices, '')) === 'leave';
}

const choices = [
  { value: 'stay', label: 'Stay', detail: 'they go on; /agents shows them' },
  { value: 'leave', label: 'Leave', detail: 'and end them' },
];
