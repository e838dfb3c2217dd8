// Sessions on a terminal that can only print lines: prompts are typed, answers are printed, approvals are answered by letters.
import type { RunCommandLine } from '../../cli/command-line.ts';
import type { World } from '../../start/world.ts';

export async function lineMode(_commandLine: RunCommandLine, _world: World): Promise<number> {
  return 0;
}
